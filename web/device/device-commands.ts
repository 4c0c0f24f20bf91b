/** Sending a command to one device from the console; many: command-many. */
import { getCommandList, sendCommand } from '#schema/command/command'
import { reboot } from '#schema/device/commands/power'
import { request } from '../kit/api.ts'
import { ask } from '../kit/confirm.tsx'
import { t } from '../kit/i18n.ts'
import { queryClient, reportError } from '../kit/query.ts'
import { toast } from '../kit/toast.tsx'

type Target = { deviceId: number; deviceName: string }

/** Asks, then sends; the result is in the device's command list. */
export async function rebootOne({ deviceId, deviceName }: Target): Promise<void> {
  const confirmed = await ask({
    title: t('command:reboot.title', { name: deviceName }),
    text: t('command:reboot.text'),
    verb: t('command:name.reboot'),
    danger: true,
  })
  if (!confirmed) return
  try {
    // Confirmed as a whole: leaving the page must not stop it halfway.
    await request(sendCommand, { deviceId, name: reboot.name }, new AbortController().signal)
    void toast('success', t('command:sent'))
  } catch (error) {
    reportError(error)
  }
  await queryClient.invalidateQueries({ queryKey: [getCommandList.name] })
}
