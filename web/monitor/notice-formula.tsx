/** The formula of a notice, tried on live values while it is written. */
import { Fieldset, Select, Stack, Textarea } from '@mantine/core'
import { FORMULA_MAX, formulaName } from '#schema/monitor/formula/tokens'
import { tryNoticeFormula } from '#schema/monitor/variable-notice'
import type { Drawn } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { faultOf, TrialParts, useAsked } from './formula-trial.tsx'

export function NoticeFormula({ name, label, hint, required, value, error, set, values }: Drawn) {
  const text = String(value ?? '')
  const variableId = Number(values['variableId']) || 0
  const { asked, choose } = useAsked(text)
  const { data } = useCall(tryNoticeFormula, { variableId, ...asked }, { enabled: variableId > 0 })
  return (
    <Stack gap="sm">
      <Textarea
        data-path={name}
        label={label}
        description={hint}
        withAsterisk={required}
        autosize
        minRows={2}
        maxLength={FORMULA_MAX}
        spellCheck={false}
        value={text}
        error={error ?? faultOf(data, asked.formula)}
        onChange={(event) => set(event.currentTarget.value)}
      />
      <Select
        label={t('variable-notice:insert')}
        data={data?.names ?? []}
        disabled={variableId === 0}
        description={variableId === 0 ? t('variable-notice:variableFirst') : undefined}
        value={null}
        searchable
        nothingFoundMessage={t('list:noMatch')}
        onChange={(chosen) => {
          if (chosen !== null)
            set(`${text}${text === '' || text.endsWith(' ') ? '' : ' '}${formulaName(chosen)} `)
        }}
      />
      {variableId > 0 && text !== '' && (
        <Fieldset legend={t('variable-notice:trial')}>
          <Stack gap="xs">
            <TrialParts tried={data} choose={choose} />
          </Stack>
        </Fieldset>
      )}
    </Stack>
  )
}
