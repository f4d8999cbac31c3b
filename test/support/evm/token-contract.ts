import { wordOf } from './word.ts';

/** `Transfer(address,address,uint256)` of ERC-20 and, with the id indexed, of ERC-721. */
const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const push1 = (byte: number): string => `60${byte.toString(16).padStart(2, '0')}`;
const push2 = (number: number): string => `61${number.toString(16).padStart(4, '0')}`;
const [EQUAL, LESS, ADD, SUBTRACT, SHIFT_LEFT, JUMP, JUMP_IF, HERE] = ['14', '10', '01', '03', '1b', '56', '57', '5b'];
const [LOAD, STORE, TO_MEMORY, LOG3, LOG4, RETURN] = ['54', '55', '52', 'a3', 'a4', 'f3'];
const [CALLER, CALL_SIZE, CODE_COPY] = ['33', '36', '39'];

/** Bytes of a call: a selector, and words. */
const SELECTOR = 4;
const WORD = 32;
const argument = (n: number): string => `${push1(SELECTOR + n * WORD)}35`;
const sizeOf = (words: number): number => SELECTOR + words * WORD;

const bytes = (code: string): number => code.length / 2;

/** Where the contract begins, gives up, and decides which function was called. */
const GIVE_UP = 3;
const DECIDE = 8;
const start = `${push1(DECIDE)}${JUMP}${HERE}${push1(0)}80fd${HERE}`;

/** Moves tokens between two balances, which are stored under the addresses, and logs it; gives up where there are too few. */
const move = (from: string, to: string, amount: string): string =>
  [
    `${amount}${from}${LOAD}${LESS}${push2(GIVE_UP)}${JUMP_IF}`,
    `${amount}${from}${LOAD}${SUBTRACT}${from}${STORE}`,
    `${amount}${to}${LOAD}${ADD}${to}${STORE}`,
    `${amount}${push1(0)}${TO_MEMORY}`,
    `${to}${from}7f${TRANSFER}${push1(WORD)}${push1(0)}${LOG3}`,
  ].join('');

/** Logs what an NFT's contract does: the id is indexed, and nothing stands beside it. */
const moveNft = (to: string, id: string): string => `${id}${to}${CALLER}7f${TRANSFER}${push1(0)}${push1(0)}${LOG4}`;

const answerTrue = `${push1(1)}${push1(0)}${TO_MEMORY}${push1(WORD)}${push1(0)}${RETURN}`;

/** What the contract does, by the number of words of the call. */
const FUNCTIONS: readonly (readonly [words: number, code: string])[] = [
  // transfer(to, amount)
  [2, move(CALLER, argument(0), argument(1))],
  // transferFrom(from, to, amount), of any balance
  [3, move(argument(0), argument(1), argument(2))],
  // one amount to each of two, and an NFT to the first
  [
    4,
    [
      move(CALLER, argument(0), argument(2)),
      moveNft(argument(0), argument(2)),
      move(CALLER, argument(1), argument(3)),
    ].join(''),
  ],
];

const contract = (): string => {
  const branch = bytes(`${CALL_SIZE}${push1(0)}${EQUAL}${push2(0)}${JUMP_IF}`);
  const otherwise = `${push1(GIVE_UP)}${JUMP}`;
  let place = bytes(start) + FUNCTIONS.length * branch + bytes(otherwise);
  const [branches, code]: [string[], string[]] = [[], []];
  for (const [words, body] of FUNCTIONS) {
    const whole = `${HERE}${body}${answerTrue}`;
    branches.push(`${CALL_SIZE}${push1(sizeOf(words))}${EQUAL}${push2(place)}${JUMP_IF}`);
    code.push(whole);
    place += bytes(whole);
  }
  return [start, ...branches, otherwise, ...code].join('');
};

/** Bits that all tokens are shifted by: whoever makes the contract has 2^200 of them. */
const SUPPLY_BITS = 200;

/**
 * A small ERC-20 in the machine's own code: what makes it gives all tokens to the sender. It has no allowances, and knows
 * its functions by how many words they are called with. Coins are refused.
 */
export const tokenContract = (): string => {
  const code = contract();
  const supply = `${push1(1)}${push1(SUPPLY_BITS)}${SHIFT_LEFT}${CALLER}${STORE}`;
  const copied = (from: number): string =>
    `${push2(bytes(code))}${push1(from)}${push1(0)}${CODE_COPY}${push2(bytes(code))}${push1(0)}${RETURN}`;
  return `0x${supply}${copied(bytes(supply) + bytes(copied(0)))}${code}`;
};

const callOf = (selector: string, ...words: readonly (string | bigint)[]): string =>
  `0x${selector}${words.map(wordOf).join('')}`;

/** Calls of the contract. */
export const tokenCalls = {
  transfer: (to: string, amount: bigint): string => callOf('a9059cbb', to, amount),
  transferFrom: (from: string, to: string, amount: bigint): string => callOf('23b872dd', from, to, amount),
  /** No function of ERC-20: amounts to two at once, beside an NFT. */
  payBoth: (one: string, other: string, toOne: bigint, toOther: bigint): string =>
    callOf('00000000', one, other, toOne, toOther),
};
