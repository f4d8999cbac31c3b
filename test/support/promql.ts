/** What an expression takes from the store: series of one name, by matchers, over a range or at one moment. */
export type Selector = {
  readonly name: string;
  readonly matchers: readonly { readonly label: string; readonly op: string; readonly value: string }[];
  readonly range: string | null;
  /** The function that it is the argument of, directly; null for none. */
  readonly within: string | null;
};

/** An expression, as far as checks need it. */
export type PromQl = {
  readonly selectors: readonly Selector[];
  /** Every label that is named in `by` or `on`. */
  readonly grouping: readonly string[];
  /** The labels that its result has, where an aggregation says so. */
  readonly resultLabels: readonly string[] | null;
};

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?(?:[smhdwy]\b)?|\$__\w+)|("(?:[^"\\]|\\.)*")|([a-zA-Z_:][\w:]*)|(==|!=|=~|!~|>=|<=|[-+*/%^<>=(){}[\],]))/y;
const AGGREGATIONS = new Set(['sum', 'min', 'max', 'avg', 'count']);
const FUNCTIONS = new Map([
  ['rate', 1],
  ['increase', 1],
  ['delta', 1],
  ['absent', 1],
  ['time', 0],
  ['histogram_quantile', 2],
]);
const COMPARISONS = ['==', '!=', '>=', '<=', '>', '<'];
const SETS = ['and', 'or', 'unless'];
const OPERATORS: readonly (readonly string[])[] = [['or'], ['and', 'unless'], COMPARISONS, ['+', '-'], ['*', '/', '%']];

const tokensOf = (text: string): readonly string[] => {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) throw new Error(`can't read on at ${at}: ${text}`);
    tokens.push(match[0].trim());
  }
  return tokens;
};

/**
 * Reads PromQL as far as alert rules and dashboards here use it.
 *
 * @throws Error at what it can't read, with the place
 */
export const parsePromQl = (text: string): PromQl => {
  const tokens = tokensOf(text);
  let at = 0;
  const selectors: Selector[] = [];
  const grouping: string[] = [];
  let resultLabels: readonly string[] | null = null;

  const fail = (expected: string): never => {
    throw new Error(`expected ${expected}, found ${tokens[at] ?? 'the end'} in ${text}`);
  };
  const peek = (): string => tokens[at] ?? '';
  const take = (): string => {
    at += 1;
    return tokens[at - 1] ?? fail('more');
  };
  const expectToken = (token: string): void => {
    if (take() !== token) {
      at -= 1;
      fail(token);
    }
  };
  const isName = (token: string): boolean => /^[a-zA-Z_:]/.test(token);

  const labels = (): readonly string[] => {
    const found: string[] = [];
    expectToken('(');
    while (peek() !== ')') {
      if (!isName(peek())) fail('a label');
      found.push(take());
      if (peek() !== ')') expectToken(',');
    }
    expectToken(')');
    grouping.push(...found);
    return found;
  };

  const matchers = (): Selector['matchers'] => {
    const found: Selector['matchers'][number][] = [];
    if (peek() !== '{') return found;
    take();
    while (peek() !== '}') {
      const [label, op, quoted] = [take(), take(), take()];
      if (!isName(label) || !['=', '!=', '=~', '!~'].includes(op) || !quoted.startsWith('"')) fail('a matcher');
      found.push({ label, op, value: quoted.slice(1, -1) });
      if (peek() !== '}') expectToken(',');
    }
    take();
    return found;
  };

  const selector = (name: string, within: string | null): void => {
    const its = matchers();
    let range: string | null = null;
    if (peek() === '[') {
      take();
      range = take();
      if (!/^(?:\d+[smhdwy]|\$__\w+)$/.test(range)) fail('a range');
      expectToken(']');
    }
    selectors.push({ name, matchers: its, range, within });
  };

  const call = (name: string): void => {
    const arity = FUNCTIONS.get(name) ?? fail('a function that is known here');
    expectToken('(');
    for (let i = 0; i < arity; i += 1) {
      if (i > 0) expectToken(',');
      operand(0, name);
    }
    expectToken(')');
  };

  const primary = (within: string | null): void => {
    const token = take();
    if (token === '(') {
      operand(0, null);
      expectToken(')');
    } else if (AGGREGATIONS.has(token)) {
      const by = peek() === 'by' ? (take(), labels()) : [];
      expectToken('(');
      operand(0, null);
      expectToken(')');
      resultLabels = by;
    } else if (isName(token)) {
      if (peek() === '(') call(token);
      else selector(token, within);
    } else if (!/^\d/.test(token)) {
      at -= 1;
      fail('a value');
    }
  };

  function operand(level: number, within: string | null): void {
    const operators = OPERATORS[level];
    if (operators === undefined) {
      primary(within);
      return;
    }
    operand(level + 1, within);
    while (operators.includes(peek())) {
      const operator = take();
      if (SETS.includes(operator) && peek() === 'on') {
        take();
        labels();
      }
      operand(level + 1, null);
    }
  }

  operand(0, null);
  if (at < tokens.length) fail('the end');
  return { selectors, grouping, resultLabels };
};
