/** Chains that ramp providers send tokens on, by their EIP-155 ids. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['1', 'Ethereum'],
  ['10', 'OP Mainnet'],
  ['56', 'BNB Smart Chain'],
  ['97', 'BNB Smart Chain, test'],
  ['100', 'Gnosis'],
  ['137', 'Polygon'],
  ['8453', 'Base'],
  ['42161', 'Arbitrum One'],
  ['43114', 'Avalanche'],
  ['59144', 'Linea'],
  ['80001', 'Polygon Mumbai, test'],
  ['80002', 'Polygon Amoy, test'],
  ['11155111', 'Ethereum Sepolia, test'],
]);

/** What people call a chain; null for one whose id is all that is known of it. */
export const chainName = (chainId: string): string | null => NAMES.get(chainId) ?? null;
