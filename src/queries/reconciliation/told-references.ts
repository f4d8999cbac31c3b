import { orderReferences } from '../../../projections/match/match-keys.ts';
import type { ShownItem } from '../../read-models/match-questions.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { shownText } from '../masking/shown-text.ts';
import { lineResource } from '../statements/statement-resources.ts';

type Lines = readonly ReturnType<typeof lineResource>[];

/** The lines of an item for a caller: what they are matched by is told. */
export const linesOfItem = ({ lines, orders }: Pick<ShownItem, 'lines' | 'orders'>, personal: PersonalData): Lines => {
  const matched = new Set(orders.flatMap(orderReferences));
  return lines.map((line) => lineResource(line, personal, matched));
};

const MASK = '***';

/**
 * What breaks of an item tell of the bank. References of a line are one text there, which is masked as in the line, each by itself;
 * those of a line that does not come with the item are not told.
 *
 * @param shown the lines of the item as the caller sees them
 */
export const bankSides = (
  { lines }: Pick<ShownItem, 'lines'>,
  shown: Lines,
  personal: PersonalData,
): ((field: string, bank: string | null) => string | null) => {
  const together = new Map(
    lines.map(({ references }, at) => [references.join(' '), shown[at]?.references.join(' ') ?? MASK]),
  );
  return (field, bank) => {
    if (personal === 'shown' || bank === null) return bank;
    return field === 'reference' ? (together.get(bank) ?? MASK) : shownText(bank, personal);
  };
};
