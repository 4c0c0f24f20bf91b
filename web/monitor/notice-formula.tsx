/** The formula of a notice, tried on live values while it is written. */
import { tryNoticeFormula } from '#schema/monitor/variable-notice'
import type { Drawn } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { FormulaInput, useAsked } from './formula-trial.tsx'

export function NoticeFormula(drawn: Drawn) {
  const variableId = Number(drawn.values['variableId']) || 0
  const { asked, choose } = useAsked(String(drawn.value ?? ''))
  const { data } = useCall(
    tryNoticeFormula,
    { variableId, ...asked },
    { enabled: variableId > 0, keepPrevious: true },
  )
  return (
    <FormulaInput
      drawn={drawn}
      asked={asked}
      tried={data}
      choose={choose}
      missing={variableId === 0 ? t('variable-notice:variableFirst') : undefined}
    />
  )
}
