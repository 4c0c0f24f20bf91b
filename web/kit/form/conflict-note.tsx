import { Alert, Button, Group, Table, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { EditConflict } from '#schema/kit/edition'
import { unitBeside } from '#schema/kit/unit'
import { UNKNOWN } from '../format.ts'
import { t } from '../i18n.ts'
import { When } from '../time.tsx'
import type { ShownField } from './form-model.ts'

/** A field that the other user changed; `mine` is null if this user did not change it. */
export type Difference = { name: string; label: string; theirs: ReactNode; mine: ReactNode | null }

type Props = {
  who: Pick<EditConflict, 'by' | 'platform' | 'at'>
  differences: readonly Difference[]
  /** What each choice leads to, where it is not that fields are merged. */
  text?: string
  /** Of what covers the content that scrolls below it; default: the header of a drawer. */
  headPx?: number
  onMine: () => void
  onTheirs: () => void
}

const DRAWER_HEAD_PX = 72

const titleOf = ({ by, platform }: Props['who']) =>
  by !== null
    ? t('form:conflict.by', { name: by })
    : t(platform ? 'form:conflict.platform' : 'form:conflict.title')

/** Shown above a form whose row another user has saved: both versions, and a choice. The input stays in the form. */
export function ConflictNote({ who, differences, text, headPx = DRAWER_HEAD_PX, onMine, onTheirs }: Props) {
  const at = useRef<HTMLDivElement>(null)
  // The note appears while the user is looking at the button at the other end of the form.
  useEffect(() => {
    at.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <Alert
      ref={at}
      color="yellow"
      icon={<IconUsers size={18} stroke={1.5} />}
      title={titleOf(who)}
      style={{ scrollMarginTop: headPx }}
    >
      {who.at ? (
        <Text size="sm" component="div">
          {t('form:conflict.saved')} <When at={who.at} absolute />
        </Text>
      ) : null}
      <Text size="sm">
        {text ?? t(differences.length > 0 ? 'form:conflict.text' : 'form:conflict.hidden')}
      </Text>
      {differences.length > 0 ? (
        <Table my="xs" layout="fixed" style={{ overflowWrap: 'anywhere' }}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('form:conflict.field')}</Table.Th>
              <Table.Th>{t('form:conflict.theirs')}</Table.Th>
              <Table.Th>{t('form:conflict.mine')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {differences.map(({ name, label, theirs, mine }) => (
              <Table.Tr key={name}>
                <Table.Td c="dimmed">{label}</Table.Td>
                <Table.Td>{theirs}</Table.Td>
                <Table.Td>{mine ?? <Text c="dimmed">{t('form:conflict.untouched')}</Text>}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      ) : null}
      <Group gap="xs" mt="xs">
        <Button size="compact-md" variant="default" onClick={onTheirs}>
          {t('form:conflict.takeTheirs')}
        </Button>
        <Button size="compact-md" onClick={onMine}>
          {t('form:conflict.keepMine')}
        </Button>
      </Group>
    </Alert>
  )
}

const noOptions = () => []
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

/** The value of a form field for reading. */
export function FieldText({ field, value }: { field: ShownField; value: unknown }) {
  const options = (field.useOptions ?? noOptions)()
  const found = (field.useFound ?? noOptions)('')
  const names = (field.useNames ?? noOptions)()
  const labelOf = (one: unknown) =>
    [...options, ...(field.options ?? []), ...found, ...names, ...(field.known ? [field.known] : [])].find(
      (option) => option.value === String(one),
    )?.label
  // Typed ones say themselves; of chosen ones without a name, only the id is known.
  const nameless = (one: string) => (field.input !== 'tags' && /^\d+$/.test(one) ? `#${one}` : one)
  const many = (list: readonly unknown[]) =>
    list.map((one) => labelOf(one) ?? nameless(String(one))).join(t('kit:comma'))
  if (typeof value === 'boolean') return t(value ? 'form:conflict.on' : 'form:conflict.off')
  if (value === '' || value === null || value === undefined) return UNKNOWN
  if (Array.isArray(value)) return value.length === 0 ? UNKNOWN : many(value)
  // An image, or an option whose name is not loaded here.
  if (typeof value === 'object' || UUID.test(String(value))) return t('form:conflict.changed')
  return labelOf(value) ?? (field.unit ? `${value} ${unitBeside(field.unit, value)}` : String(value))
}
