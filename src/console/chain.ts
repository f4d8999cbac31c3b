import { chainName } from '../queries/words/chain-words.ts';
import { html, type Html } from './html.ts';

/** A chain by its name, its id beside it in small print; by its id alone where it has no name here. */
export const chain = (chainId: string): Html => {
  const name = chainName(chainId);
  return name === null ? html`${chainId}` : html`${name} <span class="code">${chainId}</span>`;
};
