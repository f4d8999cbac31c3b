import { expect } from 'chai';
import { queryLimits } from '../../src/access/query-limits.ts';
import { DocumentChecker, seenAnswer } from '../support/document-checker.ts';
import { serveApi } from '../support/serve-api.ts';
import { documentOf, metricsOf, type DocumentScene } from './document-scene.ts';

/** Of the page of metrics, for holders of a key and for everybody. */
export const answersOfMetrics = ({ asker }: DocumentScene): void => {
  it('of the metrics is as documented', async () => {
    const api = await serveApi({}, [metricsOf()]);
    expect((await asker(api)('GET', '/metrics', 'admin')).status).to.equal(200);
    await api.close();
  });

  it('of metrics that are for everybody is as a document of them says', async () => {
    const routes = [metricsOf({ open: true })];
    const api = await serveApi({}, routes);
    const open = new DocumentChecker(await documentOf(api));
    for (const path of ['/metrics', '/metrics?nonsense=1']) {
      open.hold('GET', path, await seenAnswer(await api.ask(path, null)));
    }
    const failing = await serveApi({}, [metricsOf({ open: true, page: () => Promise.reject(new Error('broken')) })]);
    open.hold('GET', '/metrics', await seenAnswer(await failing.ask('/metrics', null)));
    const passedOn = { headers: { 'X-Forwarded-For': '203.0.113.7' } };
    for (const scopes of [null, 'orders:read']) {
      open.hold('GET', '/metrics', await seenAnswer(await api.ask('/metrics', scopes, passedOn)));
    }
    for (const settings of [
      { perMinute: 0, mostUnderWay: 100 },
      { perMinute: 1_000, mostUnderWay: 0 },
    ]) {
      const full = await serveApi({}, [metricsOf({ open: true, limits: queryLimits(settings) })]);
      open.hold('GET', '/metrics', await seenAnswer(await full.ask('/metrics', 'admin', passedOn)));
      await full.close();
    }
    const ofMetrics = (answers: readonly string[]): readonly string[] =>
      answers.filter((answer) => answer.startsWith('getMetrics')).toSorted();
    expect(ofMetrics(open.seen())).to.deep.equal(ofMetrics(open.documented()));
    expect(open.scopes('getMetrics')).to.deep.equal([]);
    await failing.close();
    await api.close();
  });
};
