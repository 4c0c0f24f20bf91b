/**
 * Evaluates a formula with the newest values of a terminal while it is edited: shows the value of each part, or the
 * error.
 */
import { Code, Fieldset, Select, Stack, Table, Text, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { ReplyOf } from '#schema/kit/call'
import { FORMULA_MAX, formulaName } from '#schema/monitor/formula/tokens'
import { tryFormula } from '#schema/monitor/formula-trial'
import type { Drawn } from '../kit/form/form-model.ts'
import { UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import classes from './monitor.module.css'

/** While the user types, the request is sent this long after the last key. */
const PAUSE_MS = 400
const DIGITS = 12

type Tried = ReplyOf<typeof tryFormula>

/** As exact as it is known: of 0.1 + 0.2, a computer says 0.30000000000000004. */
export const shown = (value: number | null) =>
  value === null ? UNKNOWN : String(Number(value.toPrecision(DIGITS)))

function Parts({ tried: { inputs, steps } }: { tried: Tried }) {
  const given = inputs.map(({ name, value, quality, stale }) => ({
    text: name,
    value,
    said: stale ? t('variable:state.stale') : quality === null ? '' : t(`variable:quality.${quality}`),
  }))
  const parts = steps.filter(({ text }) => !given.some((input) => input.text === text))
  const rows = [...given, ...parts.map((part) => ({ ...part, said: '' }))]
  return (
    <Table withRowBorders={false} verticalSpacing={2}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('variable:trial.part')}</Table.Th>
          <Table.Th>{t('variable:field.value')}</Table.Th>
          <Table.Th className={classes['said']}>{t('variable:field.quality')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row, i) => (
          // The same part may occur twice in a formula.
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are replaced as a whole
          <Table.Tr key={i}>
            <Table.Td>
              <Code className={classes['part']}>{row.text}</Code>
            </Table.Td>
            <Table.Td>{shown(row.value)}</Table.Td>
            <Table.Td className={classes['said']}>{row.said}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function faultText({ reason, at, text }: NonNullable<Tried['fault']>): string {
  return t('variable:trial.fault', { at: at + 1, reason: t(`variable:trial.reason.${reason}`, { text }) })
}

/** The request while the user types: after a pause, with the selected terminal. */
export function useAsked(formula: string) {
  const [terminalId, choose] = useState<number | null>(null)
  const [paused] = useDebouncedValue(formula, PAUSE_MS)
  return { asked: { formula: paused, ...(terminalId === null ? {} : { terminalId }) }, choose }
}

/** For the input; nothing yet is no fault. */
const faultOf = (tried: Tried | undefined, asked: string): string | null =>
  tried?.fault && asked !== '' ? faultText(tried.fault) : null

/** The terminal whose values are taken, and each part with its value. */
function TrialParts({
  tried,
  choose,
}: {
  tried: Tried | undefined
  choose: (terminalId: number | null) => void
}) {
  return (
    <>
      <Select
        label={t('variable:field.terminalName')}
        placeholder={tried?.terminals.length === 0 ? t('variable:trial.noTerminal') : ''}
        data={(tried?.terminals ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        value={tried?.terminalId == null ? null : String(tried.terminalId)}
        onChange={(id) => choose(id === null ? null : Number(id))}
        searchable
      />
      {tried && !tried.fault && <Parts tried={tried} />}
      {tried && !tried.fault && (
        <Text size="sm">
          {t('variable:trial.result', {
            value: shown(tried.value),
            quality: tried.quality === null ? '' : t(`variable:quality.${tried.quality}`),
          })}
        </Text>
      )}
    </>
  )
}

type Props = {
  drawn: Drawn
  /** Of the formula as it is now, see `useAsked`. */
  asked: { formula: string }
  tried: Tried | undefined
  choose: (terminalId: number | null) => void
  /** Why nothing can be tried yet. */
  missing?: string | undefined
}

/** A formula in a form, tried while it is written: there is no second copy of it that could be tried instead. */
export function FormulaInput({ drawn, asked, tried, choose, missing }: Props) {
  const { name, label, hint, required, value, error, set } = drawn
  const text = String(value ?? '')
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
        error={error ?? faultOf(tried, asked.formula)}
        onChange={(event) => set(event.currentTarget.value)}
      />
      <Select
        label={t('variable:trial.insert')}
        data={tried?.names ?? []}
        disabled={missing !== undefined}
        description={missing}
        value={null}
        searchable
        nothingFoundMessage={t('list:noMatch')}
        onChange={(chosen) => {
          if (chosen !== null)
            set(`${text}${text === '' || text.endsWith(' ') ? '' : ' '}${formulaName(chosen)} `)
        }}
      />
      {missing === undefined && text !== '' && (
        <Fieldset legend={t('variable:trial.title')}>
          <Stack gap="xs">
            <TrialParts tried={tried} choose={choose} />
          </Stack>
        </Fieldset>
      )}
    </Stack>
  )
}

/** @param templateId whose variables it may name; call it once for each form, as another component would lose the focus */
export const formulaField = (templateId: number) =>
  function FormulaField(drawn: Drawn) {
    const { asked, choose } = useAsked(String(drawn.value ?? ''))
    const { data } = useCall(tryFormula, { templateId, ...asked }, { keepPrevious: true })
    return <FormulaInput drawn={drawn} asked={asked} tried={data} choose={choose} />
  }
