/** What polling needs from the device that it runs on. */
import type { Base } from '../base.ts'
import type { Clock } from '../clock.ts'

export type GatewayPart = Base & { readonly bootId: string; readonly clock: Clock }
