// A trick-taking game for four as boardgame.io wants it: follow suit, the highest card of the suit led takes.
// The decks come with the match, so that a client who knows them knows every hand and what is legal.
const { INVALID_MOVE } = require("boardgame.io/core");

const suit = (card) => Math.floor(card / 13);

function deal(G) {
  const deck = G.decks[G.number];
  G.hands = [0, 1, 2, 3].map((seat) => deck.slice(13 * seat, 13 * seat + 13));
  G.number += 1;
}

function legal(G, seat) {
  const hand = G.hands[seat];
  const following = G.trick.length ? hand.filter((card) => suit(card) === suit(G.trick[0])) : [];
  return following.length ? following : hand;
}

// Plays a card and returns who is next.
function play(G, seat, card) {
  G.hands[seat] = G.hands[seat].filter((held) => held !== card);
  G.trick.push(card);
  if (G.trick.length < 4) return (seat + 1) % 4;
  const led = G.trick.filter((each) => suit(each) === suit(G.trick[0]));
  const taker = (seat + 1 + G.trick.indexOf(Math.max(...led))) % 4;
  G.tricks[taker] += 1;
  G.trick = [];
  if (!G.hands[taker].length && G.number < G.decks.length) deal(G);
  return taker;
}

function setup(_, { decks }) {
  const G = { decks, number: 0, hands: [], trick: [], tricks: [0, 0, 0, 0] };
  deal(G);
  return G;
}

const Trick = {
  name: "trick",
  minPlayers: 4,
  maxPlayers: 4,
  disableUndo: true,
  setup,
  moves: {
    play: {
      client: false,
      move: ({ G, playerID, events }, card) => {
        if (!legal(G, Number(playerID)).includes(card)) return INVALID_MOVE;
        events.endTurn({ next: String(play(G, Number(playerID), card)) });
      },
    },
  },
  playerView: ({ G, playerID }) => {
    const { decks, hands, ...open } = G;
    return { ...open, hand: hands[Number(playerID)] };
  },
};

module.exports = { Trick, setup, legal, play };
