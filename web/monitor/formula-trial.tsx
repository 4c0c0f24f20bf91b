/**
 * Evaluates a formula with the newest values of a terminal while it is edited: shows the value of each part, or the
 * error.
 */
import { Code, Select, Stack, Table, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import type { ReplyOf } from '#schema/kit/call'
import { tryFormula } from '#schema/monitor/formula-trial'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import classes from './monitor.module.css'

/** While the user types, the request is sent this long after the last key. */
const PAUSE_MS = 400

type Tried = ReplyOf<typeof tryFormula>

const shown = (value: number | null) => (value === null ? '—' : String(value))

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
export const faultOf = (tried: Tried | undefined, asked: string): string | null =>
  tried?.fault && asked !== '' ? faultText(tried.fault) : null

/** The terminal whose values are taken, and each part with its value. */
export function TrialParts({
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

function Trial({ templateId, formula }: { templateId: number; formula: string }) {
  const [text, setText] = useState(formula)
  const { asked, choose } = useAsked(text)
  const { data } = useCall(tryFormula, { templateId, ...asked })
  return (
    <Stack gap="xs">
      <TextInput
        label={t('variable:field.formula')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={faultOf(data, asked.formula)}
      />
      <TrialParts tried={data} choose={choose} />
    </Stack>
  )
}

export function FormulaTrial(props: { templateId: number; formula: string }) {
  const [open, { toggle }] = useDisclosure(false)
  return (
    <>
      <UnstyledButton onClick={toggle} aria-expanded={open}>
        <Text size="sm" c="var(--mantine-color-anchor)">
          {t('variable:trial.title')}
        </Text>
      </UnstyledButton>
      {open && <Trial {...props} />}
    </>
  )
}
