import { fresh, observeLevel, observes } from '../observer.ts'

export const clockSkewObserver = observes('clockSkew', ({ tx, at }) =>
  // Measured by each hello; `fresh` excludes devices that have been silent since.
  observeLevel(tx, 'clockSkew', fresh(tx, at), tx`abs(d.clock_skew_ms) / 60000.0`),
)
