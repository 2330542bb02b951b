// node load.js PORT CLIENTS SECONDS: each client plays all four seats of its own match over socket.io.
// Prints {"latencies": [ms ...], "seconds": s, "cost": s}.
const { io } = require("socket.io-client");
const { setup, legal, play } = require("./game");

const [port, clients, seconds] = process.argv.slice(2).map(Number);
const DEALS = 60;
const latencies = [];

function shuffled() {
  const deck = [...Array(52).keys()];
  for (let last = 51; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [deck[last], deck[other]] = [deck[other], deck[last]];
  }
  return deck;
}

async function opened() {
  const decks = Array.from({ length: DEALS }, shuffled);
  const answer = await fetch(`http://127.0.0.1:${port}/games/trick/create`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ numPlayers: 4, setupData: { decks } }),
  });
  const { matchID } = await answer.json();
  const socket = io(`http://127.0.0.1:${port}/trick`, { transports: ["websocket"] });
  socket.emit("sync", matchID, "0", undefined, 4);
  await new Promise((done) => socket.once("sync", done));
  return { socket, matchID, G: setup(null, { decks }), seat: 0 };
}

// The first turn is seat 0's: boardgame.io's default.
async function playOn(client, until) {
  for (let stateID = 0; performance.now() < until; stateID++) {
    const cards = legal(client.G, client.seat);
    if (!cards.length) return;
    const card = cards[Math.floor(Math.random() * cards.length)];
    const playerID = String(client.seat);
    const sent = performance.now();
    const action = { type: "MAKE_MOVE", payload: { type: "play", args: [card], playerID } };
    client.socket.emit("update", action, stateID, client.matchID, playerID);
    const state = await new Promise((done) => client.socket.once("update", (_, state) => done(state)));
    latencies.push(performance.now() - sent);
    if (state._stateID !== stateID + 1) throw new Error(`A move was refused at ${stateID}.`);
    client.seat = play(client.G, client.seat, card);
    if (state.ctx.currentPlayer !== String(client.seat)) throw new Error("Server and client differ.");
  }
}

async function main() {
  const all = await Promise.all(Array.from({ length: clients }, opened));
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  await Promise.all(all.map((client) => playOn(client, started + 1000 * seconds)));
  const { user, system } = process.cpuUsage(cpu);
  const took = (performance.now() - started) / 1000;
  process.stdout.write(JSON.stringify({ latencies, seconds: took, cost: (user + system) / 1e6 }), () => process.exit(0));
}

main();
