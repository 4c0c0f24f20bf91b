/** Sends a UCI text to one device: through its draft, which is left as it was if the device cannot take it. */
import { applyDevice, discardConfigDraft, getDeviceConfig, reviewConfig } from '#schema/config/device-config'
import { compareUci, IMPORTED, importUci } from '#schema/config/uci-import'
import { ask } from './client.ts'
import { Exit, exitCodes } from './exit.ts'
import { type Watched, warn } from './finish-config.ts'
import { type Format, note, print, printOne } from './print.ts'
import { watchTask } from './watch.ts'

type Text = { deviceId: number; uciText: string; merge: boolean }
type Options = Watched & { confirm?: number; dryRun?: true }

const refuse = (message: string): never => {
  throw new Exit(exitCodes.refused, message)
}

/** Unapplied edits of other users would be applied together with the text. */
async function refuseEdits(deviceId: number): Promise<void> {
  const { pages, imported } = await ask(getDeviceConfig, { deviceId })
  const edited = pages.filter(({ changed }) => changed.length > 0)
  const who = [...new Set([imported?.by, ...edited.map(({ changedBy }) => changedBy)])].filter(Boolean)
  if (imported || edited.length > 0)
    refuse(
      `the device has edits that are not applied, by ${who.join(', ') || 'somebody'}: apply or discard them in the console first`,
    )
}

export async function applyUci(format: Format, text: Text, options: Options): Promise<void> {
  const { deviceId } = text
  const { packages, uci, faults, warnings } = await ask(compareUci, text)
  for (const { name, outcome } of packages)
    if (outcome === 'unmanaged') note(`left out: the device does not manage ${name}`)
  if (options.dryRun || uci.length === 0) {
    print(format, { packages, uci, faults, warnings }, uci, ['kind', 'place', 'before', 'after'])
    for (const { message } of faults) note(message)
    warn(warnings)
    if (faults.length > 0) throw new Exit(exitCodes.failures)
    return
  }
  if (faults[0]) refuse(faults[0].message)
  await refuseEdits(deviceId)
  await ask(importUci, text)
  try {
    const review = await ask(reviewConfig, { deviceId })
    const { length } = review.uci
    note(
      `${length} ${length === 1 ? 'change' : 'changes'}${review.confirmS > 0 ? `, tried for ${options.confirm ?? review.confirmS} s` : ''}`,
    )
    warn(review.warnings)
    const { taskId } = await ask(applyDevice, {
      deviceId,
      reviewed: review.reviewed,
      ...(options.confirm === undefined ? {} : { confirmS: options.confirm }),
    })
    if (options.wait) await watchTask(format, taskId, options.timeout)
    else printOne(format, { taskId, devices: 1, warnings: review.warnings })
  } catch (error) {
    // What was sent is deleted with its confirmation; what failed must not be applied by the next one to press a button.
    await ask(discardConfigDraft, { deviceId, page: IMPORTED }).catch((other: Error) =>
      note(`the text is still among the edits of the device: ${other.message}`),
    )
    throw error
  }
}
