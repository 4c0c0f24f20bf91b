import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ActionButton } from '../action-button.tsx'
import { Drawer } from '../dialog.tsx'
import { Dotted } from '../dotted.tsx'
import { ReadBar } from '../error-bar.tsx'
import classes from '../kit.module.css'
import type { Needed } from '../session.ts'

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

type Props<R> = {
  opened: boolean
  onClose: () => void
  title: string
  text: string
  size?: number
  /** False while another drawer is open above this one. */
  closeOnEscape?: boolean
  found: {
    data: { list: R[]; total: number } | undefined
    error: Error | null
    isPending: boolean
    dataUpdatedAt: number
    refetch: () => unknown
  }
  create: { label: string; permission?: Needed; onPress: () => void }
  /** Instead of entries where there are none. */
  empty: ReactNode
  entry: (row: R) => ReactNode
  /** Above the entries. */
  children?: ReactNode
}

/** A short list in a drawer: entries below each other, and what makes a new one. */
export function EntryDrawer<R>({ found, create, empty, entry, text, children, ...props }: Props<R>) {
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
      </Stack>
    </Drawer>
  )
}
