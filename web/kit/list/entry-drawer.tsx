import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { BodyOf } from '#schema/kit/call'
import { ActionButton } from '../action-button.tsx'
import { Drawer } from '../dialog.tsx'
import { Dotted } from '../dotted.tsx'
import { ReadBar } from '../error-bar.tsx'
import { t } from '../i18n.ts'
import classes from '../kit.module.css'
import { useCall } from '../query.ts'
import type { Needed } from '../session.ts'
import type { AnyList, Row } from './list-types.ts'

type EntryProps = {
  title: string
  chips: ReactNode
  /** What is left out is null or empty. */
  facts: readonly (string | null)[]
  /** Between the title and the facts, and below them. */
  above?: ReactNode
  below?: ReactNode
  /** What can be done with it. */
  children: ReactNode
}

export function Entry({ title, chips, facts, above, below, children }: EntryProps) {
  return (
    <div className={classes['entryBox']} data-tall={above ? true : undefined}>
      <div>
        <Group gap={8}>
          <Text fw={600}>{title}</Text>
          {chips}
        </Group>
        {above}
        <Text component="div" size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <Dotted parts={facts} />
        </Text>
        {below}
      </div>
      {children}
    </div>
  )
}

/** Entries that a drawer shows at first, and more with each press of a button. */
const STEP = 50

type Entries<R> = {
  found: {
    data: { list: R[]; total: number } | undefined
    error: Error | null
    isPending: boolean
    isFetching: boolean
    dataUpdatedAt: number
    refetch: () => unknown
  }
  showMore: () => void
}

/** @param filter of the call, without its page */
export function useEntries<C extends AnyList>(
  call: C,
  filter: Partial<BodyOf<C>>,
  enabled: boolean,
): Entries<Row<C>> {
  const [limit, setLimit] = useState(STEP)
  const found = useCall(call, { ...filter, limit } as BodyOf<C>, { enabled, keepPrevious: true })
  return {
    found: found as unknown as Entries<Row<C>>['found'],
    showMore: () => setLimit((before) => before + STEP),
  }
}

type Props<R> = {
  opened: boolean
  onClose: () => void
  title: string
  text: string
  size?: number
  entries: Entries<R>
  create: { label: string; permission?: Needed; onPress: () => void }
  /** Instead of entries where there are none. */
  empty: ReactNode
  entry: (row: R) => ReactNode
  /** Above the entries. */
  children?: ReactNode
}

/** A short list in a drawer: entries below each other, and what makes a new one. */
export function EntryDrawer<R>({ entries, create, empty, entry, text, children, ...props }: Props<R>) {
  const { found, showMore } = entries
  const left = found.data ? found.data.total - found.data.list.length : 0
  return (
    <Drawer size={560} {...props}>
      <Stack gap="sm">
        <Text c="dimmed">{text}</Text>
        {children}
        <Group justify="flex-end">
          <ActionButton rank="primary" icon={IconPlus} {...create} />
        </Group>
        <ReadBar read={found} />
        {found.isPending && props.opened ? <Skeleton h={120} /> : null}
        {found.data?.total === 0 ? empty : null}
        {(found.data?.list ?? []).map(entry)}
        {left > 0 ? (
          <Button variant="default" loading={found.isFetching} onClick={showMore}>
            {t('kit:showMore', { count: left })}
          </Button>
        ) : null}
      </Stack>
    </Drawer>
  )
}
