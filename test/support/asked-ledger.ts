import { expect } from 'chai';
import * as t from 'io-ts';
import { signatureOf } from './payloads.ts';
import { API_KEY } from './running-ledger.ts';

const Positioned = t.type({ position: t.string });

/** Asks a ledger with its key, and remembers the last position that it answered. */
export class AskedLedger {
  readonly #url: string;
  /** What includes it includes all that was done here; empty before anything was. */
  position = '';

  constructor(url: string) {
    this.#url = url;
  }

  /** The body of an answer, which must be a success. */
  async ask(path: string, init: RequestInit = {}, over: Record<string, string> = {}): Promise<unknown> {
    const headers = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json', ...over };
    const response = await fetch(`${this.#url}${path}`, { ...init, headers });
    const body: unknown = await response.json();
    expect(response.ok, JSON.stringify(body)).to.equal(true);
    if (Positioned.is(body)) this.position = body.position;
    return body;
  }

  deliver(body: Buffer): Promise<unknown> {
    return this.ask('/v1/webhooks', { method: 'POST', body }, { 'X-Service-Signature': signatureOf(body) });
  }
}
