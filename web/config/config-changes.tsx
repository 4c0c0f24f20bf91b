/** What a change of a configuration would change: by field, and as UCI. */
import { Code, Table, Text } from '@mantine/core'
import type { reviewConfig } from '#schema/config/device-config'
import type { ReplyOf } from '#schema/kit/call'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { When } from '../kit/time.tsx'
import classes from './config.module.css'
import { fieldLabel, PageField } from './page-field.tsx'

type Review = ReplyOf<typeof reviewConfig>
type Field = Pick<Review['fields'][number], 'page' | 'name' | 'before' | 'after'> &
  Partial<Pick<Review['fields'][number], 'by' | 'at'>>

export function FieldChanges({ fields }: { fields: readonly Field[] }) {
  const isDated = fields.some(({ at }) => at !== undefined)
  if (fields.length === 0) return null
  return (
    <Table layout="fixed" className={`${classes['diff']} ${classes['changes']}`}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="22%">{t('config:review.field')}</Table.Th>
          <Table.Th>{t('config:review.before')}</Table.Th>
          <Table.Th>{t('config:review.after')}</Table.Th>
          {isDated ? <Table.Th w="16%">{t('config:review.by')}</Table.Th> : null}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {fields.map(({ page, name, before, after, by, at }) => (
          <Table.Tr key={`${page} ${name}`}>
            <Table.Td>{fieldLabel(page, name)}</Table.Td>
            <Table.Td data-label={t('config:review.before')}>
              <PageField page={page} field={name} value={before} beside={after} />
            </Table.Td>
            <Table.Td data-label={t('config:review.after')} fw={600}>
              <PageField page={page} field={name} value={after} beside={before} />
            </Table.Td>
            {isDated ? (
              <Table.Td>
                {nameText(by)} {at ? <When at={at} /> : null}
              </Table.Td>
            ) : null}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function lineOf({ place, kind, before, after }: Review['uci'][number]): string {
  if (kind === 'moved') return `~ ${place}`
  const lines = [before === null ? '' : `- ${place} ${before}`, after === null ? '' : `+ ${place} ${after}`]
  return lines.filter(Boolean).join('\n') || `${kind === 'added' ? '+' : '-'} ${place}`
}

export const UciChanges = ({ changes }: { changes: Review['uci'] }) => (
  <div>
    <Text size="sm" fw={600} mb={4}>
      {t('config:review.uci')}
    </Text>
    <Code block className={classes['diff'] ?? ''}>
      {changes.map(lineOf).join('\n')}
    </Code>
  </div>
)
