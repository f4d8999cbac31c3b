import { expect } from 'chai';
import { loadConfig, type Config, type Environment } from '../../src/config/index.ts';
import type { ExaminedLog } from '../../src/doctor/examined-log.ts';
import type { DoctorCheck } from '../../src/doctor/doctor-check.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { eventHeader, type SomeEvent } from '../support/event-headers.ts';
import { right } from '../support/right.ts';

/** When doctor looks, in ms. */
export const NOW_MS = Date.UTC(2026, 0, 10, 12);
/** When doctor looks. */
export const NOW = instantOf(NOW_MS);
/** In ms. */
export const MINUTE = 60_000;
/** In ms. */
export const DAY = 86_400_000;
/** In bytes. */
export const GIB = 1_024 ** 3;

/** A log whose newest events these are, the newest one first. */
export const logOf = (
  newest: readonly SomeEvent[],
  over: Partial<Extract<ExaminedLog, { _tag: 'Read' }>> = {},
): ExaminedLog => ({
  _tag: 'Read',
  about: 'whole',
  newest: newest.map(eventHeader),
  isWhole: true,
  included: null,
  signed: null,
  ...over,
});

/** A log that is not to be had. */
export const AWAY: ExaminedLog = { _tag: 'Away', reason: 'ServerAway', detail: 'away', cure: null };

/** The configuration of an environment. */
export const configOf = (env: Environment): Config =>
  right(loadConfig({ DATA_DIR: '/nowhere/data', ...env }, { generate: false, randomBytes: () => Buffer.alloc(0) }))
    .config;

/** The check is wrong, and says what and how it is cured. */
export const expectWrong = (check: DoctorCheck, detail: RegExp, cure: RegExp): void => {
  expect(check.ok, check.detail).to.equal(false);
  expect(check.detail).to.match(detail);
  expect(check.cure).to.match(cure);
};

/** The check finds nothing that has to be cured. */
export const expectWell = (check: DoctorCheck, detail = /./): void => {
  expect(check.ok, check.detail).to.equal(true);
  expect(check.detail).to.match(detail);
  expect(check.cure).to.equal(null);
};
