import { load1 } from '#schema/device/figures/load1'
import { shows } from '../figure.ts'

export const showLoad1 = shows(load1, ({ load }) => load)
