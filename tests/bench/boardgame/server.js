// node server.js PORT: a boardgame.io server with everything in memory.
const { Server } = require("boardgame.io/server");
const { Trick } = require("./game");

Server({ games: [Trick], origins: ["http://localhost"] }).run(Number(process.argv[2]));
