import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import * as t from 'io-ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import { at } from '../naive-json.ts';
import { repositoryPath } from '../repository-file.ts';
import { folderOnDisk } from '../temporary-folder.ts';
import { until } from '../until.ts';

/** A transaction of the node's first account; numbers as nodes write them. `to`: none makes a contract. */
type Sent = {
  readonly to?: string;
  readonly value?: string;
  readonly input?: string;
  /** Of the account: the same transaction has the same hash. */
  readonly nonce?: string;
};

/** A real EVM node on loopback (anvil), with a chain of its own. */
export type EvmNode = {
  readonly url: string;
  /** The account that sends all transactions. */
  readonly sender: string;
  readonly call: (method: string, ...params: readonly unknown[]) => Promise<unknown>;
  /** Puts a transaction into a block of its own, also one that fails; its hash. */
  readonly send: (sent: Sent) => Promise<string>;
  /** Makes a contract; its address. */
  readonly deploy: (input: string) => Promise<string>;
  readonly mine: (blocks: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

const PROGRAM = repositoryPath('node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil');
const LISTENING = /^Listening on (127\.0\.0\.1:\d+)$/;

/** Given with each transaction: the node would try it first, and refuse one that fails. */
const GAS = '0x50000';
const GAS_PRICE = '0x77359400';

const MINED_WITHIN_MS = 10_000;

const Answer = t.type({ result: t.unknown });

const hex = (number: number): string => `0x${number.toString(16)}`;

/** Starts a node that makes a block of each transaction at once. */
export const evmNode = async (chainId: number): Promise<EvmNode> => {
  if (!existsSync(PROGRAM)) throw new Error('anvil is installed on Linux on x64 alone: run this test there');
  const home = folderOnDisk();
  const child = spawn(PROGRAM, ['--port', '0', '--chain-id', String(chainId), '--accounts', '1'], {
    // Its cache goes there.
    env: { HOME: home.path },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  let place: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    [, place] = LISTENING.exec(line) ?? [];
    if (place !== undefined) break;
  }
  if (place === undefined) throw new Error('anvil ended before it listened');
  child.stdout.resume();
  const url = `http://${place}`;
  const call = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const answer: unknown = await reply.json();
    if (!Answer.is(answer)) throw new Error(`${method}: ${JSON.stringify(answer)}`);
    return answer.result;
  };
  const sender = String(at(await call('eth_accounts'), '0'));
  const send = async (sent: Sent): Promise<string> => {
    const transaction: JsonObject = { from: sender, gas: GAS, gasPrice: GAS_PRICE, ...sent };
    const hash = String(await call('eth_sendTransaction', transaction));
    // The node answers before its block is made.
    await until(MINED_WITHIN_MS, `a block of ${hash}`, () => call('eth_getTransactionReceipt', hash));
    return hash;
  };
  return {
    url,
    sender,
    call,
    send,
    deploy: async (input) =>
      String(at(await call('eth_getTransactionReceipt', await send({ input })), 'contractAddress')),
    mine: async (blocks) => {
      await call('anvil_mine', hex(blocks));
    },
    close: async () => {
      child.kill();
      await ended;
      home.remove();
    },
  };
};
