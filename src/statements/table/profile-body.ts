import * as t from 'io-ts';

const Columns = t.array(t.string);

/**
 * Which column of a bank's CSV or XLSX is what (docs/spec/statements.md, Profiles). Columns are named by their header. A
 * `currency` that no header has is the currency itself.
 */
export const ProfileBody = t.exact(
  t.intersection([
    t.type({ date: t.string, dateFormat: t.string }),
    t.partial({
      amount: t.union([t.string, t.exact(t.type({ credit: t.string, debit: t.string })), t.null]),
      direction: t.union([t.string, t.null]),
      credit: t.union([t.string, t.null]),
      debit: t.union([t.string, t.null]),
      currency: t.union([t.string, t.null]),
      valueDate: t.union([t.string, t.null]),
      account: t.union([t.string, t.null]),
      reference: t.union([Columns, t.string, t.null]),
      text: t.union([Columns, t.string, t.null]),
      decimal: t.union([t.literal('.'), t.literal(','), t.null]),
      delimiter: t.union([t.string, t.null]),
      skipRows: t.union([t.number, t.null]),
    }),
  ]),
);
