import { expect } from 'chai';
import { imported } from '../../support/bank-imports.ts';
import { routeDoubles } from '../../support/route-dependencies.ts';
import { toldStatement, type ToldBooking } from '../../support/told-bookings.ts';

const DAYS = 20;

describe('what an import reads of earlier files', () => {
  it('are those with an equal line of the same day, however many have one of another day', async () => {
    const doubles = routeDoubles();
    const read: string[] = [];
    const readModels = {
      ...doubles.readModels,
      statementLines: (question: Parameters<typeof doubles.readModels.statementLines>[0]) => {
        read.push(question.statementId);
        return doubles.readModels.statementLines(question);
      },
    };
    const ids: string[] = [];
    for (let day = 1; day <= DAYS; day += 1) {
      const fee: ToldBooking = [day, -5, 'FEE'];
      ids.push(
        (await imported(doubles, toldStatement(1000 - 5 * day, day, [fee]), { readModels })).statement.statementId,
      );
    }
    expect(read).to.deep.equal([]);
    await imported(doubles, toldStatement(500, 7, [[7, -5, 'FEE']]), { readModels });
    expect(read).to.deep.equal([ids[6]]);
  });
});
