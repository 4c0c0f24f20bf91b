/** Another template takes a terminal's history and notices away, another gateway what is not sent yet: its form shows neither. */
import { getTemplateLoss, type getTerminalList } from '#schema/device/terminal'
import type { ReplyOf } from '#schema/kit/call'
import { request } from '../kit/api.ts'
import { ask } from '../kit/confirm.tsx'
import type { FormValues } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import type { Row } from '../kit/list/list-types.ts'
import { sentences } from '../kit/words/sentences.ts'

/** Empty: nothing is lost. */
export const lossText = ({ variables, notices }: ReplyOf<typeof getTemplateLoss>): string =>
  sentences([
    variables > 0 ? t('terminal:loss.history', { count: variables }) : '',
    notices.length > 0 ? t('terminal:loss.notices', { names: notices.join(t('kit:comma')) }) : '',
  ])

type Before = Pick<Row<typeof getTerminalList>, 'id' | 'name' | 'templateId' | 'deviceId' | 'deviceSn'>

/** What is asked before it is saved; null: nothing. */
export async function terminalLoss(
  { id, name, templateId, deviceId, deviceSn }: Before,
  values: FormValues,
): Promise<{ title: string; text: string; verb: string } | null> {
  const moves = String(values['deviceId']) !== String(deviceId)
  const loss =
    String(values['templateId']) === String(templateId)
      ? ''
      : lossText(await request(getTemplateLoss, { id }))
  if (loss === '' && !moves) return null
  return {
    title: t(loss === '' ? 'terminal:move.title' : 'terminal:loss.title', { name }),
    text: sentences([loss, moves ? t('terminal:move.text', { sn: deviceSn }) : '']),
    verb: t(loss === '' ? 'terminal:move.verb' : 'terminal:loss.verb'),
  }
}

export async function confirmTerminal(before: Before, values: FormValues): Promise<boolean> {
  const loss = await terminalLoss(before, values)
  return loss === null || ask({ ...loss, danger: true })
}
