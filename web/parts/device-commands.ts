/** Sending commands to devices from the console. */
import { getCommandList, sendCommand } from '#schema/command'
import { reboot } from '#schema/commands/power'
import { request } from '../kit/api.ts'
import { ask } from '../kit/confirm.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { queryClient } from '../kit/query.ts'
import { toast } from '../kit/toast.tsx'

type Target = { deviceId: number; deviceSn: string; deviceName: string }
/** Requests at the same time: many devices must not fill the browser's connections. */
const AT_ONCE = 4

/** Asks, then sends; answers whether it was confirmed. Each device's own result is in its command list. */
export async function rebootMany(devices: readonly Target[]): Promise<boolean> {
  const [only] = devices
  if (!only) return false
  const one = devices.length === 1
  const confirmed = await ask({
    title: one
      ? t('command:reboot.title', { name: only.deviceName })
      : t('command:reboot.titleMany', { count: devices.length }),
    text: t('command:reboot.text'),
    verb: t('command:name.reboot'),
    danger: true,
  })
  if (!confirmed) return false
  const failures: string[] = []
  // Confirmed as a whole: leaving the page must not stop it halfway.
  const whole = new AbortController()
  const waiting = [...devices]
  const send = async () => {
    for (let device = waiting.shift(); device; device = waiting.shift()) {
      try {
        await request(sendCommand, { deviceId: device.deviceId, name: reboot.name }, whole.signal)
      } catch (error) {
        failures.push(`${device.deviceName}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, send))
  const sent = devices.length - failures.length
  if (sent > 0) void toast('success', t('command:sentMany', { count: number(sent) }))
  for (const failure of failures.slice(0, 3)) void toast('error', failure)
  if (failures.length > 3) void toast('error', t('command:moreFailed', { count: failures.length - 3 }))
  await queryClient.invalidateQueries({ queryKey: [getCommandList.name] })
  return true
}
