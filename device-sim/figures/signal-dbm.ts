import { signalDbm } from '#schema/device/figures/signal-dbm'
import { drift, shows } from '../figure.ts'

export const showSignalDbm = shows(signalDbm, ({ model, goodSignal, dice }, before = goodSignal) =>
  model.radio ? Math.min(-45, Math.max(-120, drift(before, goodSignal, 0.1, dice.between(-2.5, 2.5)))) : null,
)
