import { commandEnds } from '#schema/command/command'
import { hello, welcome } from '#schema/device/hello'
import { isPlaceZone } from '#schema/device/schedule-rule'
import { returnVerified } from '../command/command-book.ts'
import { helloConfig } from '../config/hello-config.ts'
import { report } from '../kit/report.ts'
import { helloPlan } from '../monitor/hello-plan.ts'
import { applyHelloToItem } from '../task/hello-items.ts'

/** Seconds between the status messages of a device. */
const STATUS_EVERY_S = 30

export const helloReport = report(hello, (state, { device, payload, receivedAt }) => {
  const ours = device.items.some(
    (item) => item.outcome === null && item.type === 'upgrade' && item.version === payload.firmware,
  )
  // No task asked for that version: it was upgraded manually, or fell back to an older image.
  if (device.firmware !== null && device.firmware !== payload.firmware && !ours)
    state.notes.push({
      deviceId: device.id,
      at: receivedAt,
      what: 'firmware',
      detail: `${device.firmware} → ${payload.firmware}`,
    })
  const { timeZone } = payload
  // Ignored, and recorded once per boot, because the device reports it at each connect.
  if (timeZone !== undefined && !isPlaceZone(timeZone) && device.bootId !== payload.bootId)
    state.notes.push({ deviceId: device.id, at: receivedAt, what: 'timeZone', detail: timeZone || null })
  device.hello = { payload, receivedAt }
  device.bootId = payload.bootId
  device.firmware = payload.firmware
  device.packages = payload.packages ?? null
  device.configHash = payload.configHash ?? null
  // A UUID may be written in upper case.
  device.configItem = payload.configItem?.toLowerCase() ?? null
  state.outgoing.push({
    sn: device.sn,
    message: welcome,
    payload: { at: state.now.getTime(), statusEveryS: STATUS_EVERY_S },
  })
  helloConfig(state, device, payload, receivedAt)
  helloPlan(state, device, payload, receivedAt)
  for (const item of device.items) applyHelloToItem(state, device, item, receivedAt)
  for (const command of device.commands) {
    if (commandEnds.includes(command.state) || command.state === 'queued' || command.state === 'sending')
      continue
    if (!returnVerified.has(command.name) || command.fromBootId === payload.bootId) continue
    command.state = 'done'
    command.endedAt = receivedAt
    command.changed = true
  }
})
