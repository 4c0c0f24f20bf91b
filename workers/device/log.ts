import { log, logPriorities } from '#schema/device/log'
import { sampleTime } from '#schema/device/status'
import { report } from '../kit/report.ts'

export const logReport = report(log, (state, { device, payload, receivedAt }) => {
  for (const line of payload.lines) {
    const at = sampleTime(line.at, receivedAt.getTime())
    state.logs.push({
      deviceId: device.id,
      at: new Date(at),
      atIsOurs: at !== line.at,
      bootId: payload.bootId,
      seq: line.seq,
      priority: logPriorities.indexOf(line.priority),
      tag: line.tag ?? null,
      text: line.text,
    })
  }
})
