import * as fc from 'fast-check';

// Mocha prints no causes of errors: why a property failed stands in its message, then.
fc.configureGlobal({ includeErrorInReport: true });
