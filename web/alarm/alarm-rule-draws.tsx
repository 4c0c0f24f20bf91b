/** Fields of a rule that depend on its kind: default values and texts are set when another kind is chosen. */
import { NumberInput, Textarea } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { type AlarmKind, factsOf } from '#schema/alarm/alarm-kind'
import { textsOf } from '#schema/alarm/alarm-text'
import { useChangedAlone } from '../kit/form/changed-alone.ts'
import type { Drawn, FormValues } from '../kit/form/form-model.ts'
import { number, quantity } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'

export const kindOf = (values: FormValues) => (values['kind'] ? factsOf(values['kind'] as AlarmKind) : null)

/** The unit as shown after a number. A load average has no unit. */
function unitOf(values: FormValues): string {
  const unit = kindOf(values)?.unit
  return unit === undefined || unit === 'load' ? '' : quantity('', t(`alarm:unit.${unit}`))
}

/** Whether the threshold is an upper or lower limit, and its bounds. */
function boundsHint(values: FormValues): string | undefined {
  const facts = kindOf(values)
  if (!facts?.unit) return undefined
  return t(facts.direction === 'below' ? 'alarm:rule.below' : 'alarm:rule.above', {
    unit: unitOf(values),
    min: number(facts.min ?? 0),
    max: number(facts.max ?? 0),
  })
}

/** The default of the kind is filled in when another kind is chosen. */
export function Threshold({ label, required, value, error, set, values }: Drawn) {
  const kind = values['kind'] as AlarmKind
  const { threshold = '', min = 0, max = 0 } = factsOf(kind)
  const fits = value !== '' && Number(value) >= min && Number(value) <= max
  useChangedAlone(kind, value, () => set(threshold))
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed is judged, not replaced
  useEffect(() => {
    if (!fits) set(threshold)
  }, [kind])
  return (
    <NumberInput
      label={label}
      withAsterisk={required}
      description={boundsHint(values)}
      suffix={unitOf(values)}
      error={error}
      decimalScale={1}
      value={value as number | string}
      onChange={set}
    />
  )
}

export function RecoverAt({ label, value, error, set, values }: Drawn) {
  const kind = values['kind'] as AlarmKind
  const { recoverAt = '' } = factsOf(kind)
  useChangedAlone(kind, value, () => set(recoverAt))
  return (
    <NumberInput
      label={label}
      description={t('alarm:rule.recoverHint')}
      suffix={unitOf(values)}
      error={error}
      decimalScale={1}
      value={value as number | string}
      onChange={set}
    />
  )
}

/** Another kind sets its own text, unless the user has written one. */
const noticeText = (which: 'alert' | 'recovery') =>
  function NoticeText({ label, value, error, set, values }: Drawn) {
    const kind = values['kind'] as AlarmKind
    const last = useRef(kind)
    // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the kind sets the text
    useEffect(() => {
      if (last.current !== kind && value === textsOf(last.current, t)[which]) set(textsOf(kind, t)[which])
      last.current = kind
    }, [kind])
    return (
      <Textarea
        label={label}
        error={error}
        autosize
        minRows={3}
        value={String(value ?? '')}
        onChange={(event) => set(event.currentTarget.value)}
      />
    )
  }
export const AlertText = noticeText('alert')
export const RecoveryText = noticeText('recovery')
