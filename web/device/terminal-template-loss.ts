/** Another template takes a terminal's history and notices away, which its form does not show. */
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

export async function confirmTemplate(
  { id, name, templateId }: Pick<Row<typeof getTerminalList>, 'id' | 'name' | 'templateId'>,
  values: FormValues,
): Promise<boolean> {
  if (String(values['templateId']) === String(templateId)) return true
  const text = lossText(await request(getTemplateLoss, { id }))
  if (text === '') return true
  return ask({ title: t('terminal:loss.title', { name }), text, verb: t('terminal:loss.verb'), danger: true })
}
