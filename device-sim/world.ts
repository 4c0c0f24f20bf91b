/** What all devices of one process share, and the interface of one device for its parts and commands. */
import type { Command } from '#schema/kit/command'
import type { Base, BaseWorld } from './base.ts'
import type { LocalEdits } from './config/local.ts'
import type { Outputs } from './config/outputs.ts'
import type { Asked, Trial } from './config/trial.ts'
import type { Collector } from './gateway/collector.ts'
import type { Logbook } from './logbook.ts'
import type { Planned } from './planned.ts'
import type { Portal } from './portal.ts'
import type { Radio } from './radio.ts'
import type { Sections } from './sections.ts'
import type { Services } from './services.ts'

export type World = BaseWorld & { readonly orders: ReadonlyMap<string, Ordered> }

export type { Asked }

export type Part = Base & {
  readonly world: World
  readonly sections: Sections
  readonly services: Services
  readonly outputs: Outputs
  readonly radio: Radio
  readonly planned: Planned
  readonly portal: Portal
  readonly collector: Collector
  readonly logbook: Logbook
  readonly local: LocalEdits
  readonly trial: Trial
}

/** How a simulated device carries out one command. */
export type Ordered = {
  readonly kind: 'ordered'
  readonly command: Command
  /** Arguments are parsed. For a command that ends with a restart, it resolves when the device has gone down. */
  readonly run: (part: Part, args: never, asked: Asked) => Promise<Record<string, unknown>>
  readonly refuses: ((part: Part) => string | null) | undefined
}
