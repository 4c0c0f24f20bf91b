/** The running configuration of a device, and the one that was set from the platform. */
import { docOf, unsealTexts } from '#infra/config/config-store'
import { configRefusals } from '#schema/config/config-refusals'
import type { configVersions } from '#schema/config/device-config'
import type { UciDoc } from '#schema/config/uci'
import { refuse } from '#schema/kit/refusal'
import type { CallContext } from '../kit/handler.ts'
import type { DeviceConfig } from './load-config.ts'

export const desiredOf = (ctx: CallContext, { row }: DeviceConfig): UciDoc =>
  docOf(unsealTexts(row?.desired ?? null, ctx.env.JWT_SECRET))

/** @throws Refusal 359 if nothing has been set from here */
export function versionOf(
  ctx: CallContext,
  config: DeviceConfig,
  which: (typeof configVersions)[number],
): UciDoc {
  if (which === 'running') return config.doc
  if (config.row?.desired == null) refuse(configRefusals.notSet, {}, 'which')
  return desiredOf(ctx, config)
}
