/**
 * Raised with every change of what projections make of an event. Read models of another version are rebuilt at the next
 * start (docs/spec/domain.md, Promises, 4).
 */
export const PROJECTION_VERSION = 4;
