import { EmptyState } from '@mantine/core'
import { IconFilterOff, IconInbox, IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { t } from './i18n.ts'

type Kind = 'empty' | 'noMatch' | 'noPermission'
const icons = { empty: IconInbox, noMatch: IconFilterOff, noPermission: IconLock }

type Props = { kind?: Kind; title?: string; text?: string; action?: ReactNode }

/** Why a list is empty: nothing exists yet, nothing matches, or nothing is visible to this user. */
export function Empty({ kind = 'empty', title, text, action }: Props) {
  const Shape = icons[kind]
  return (
    <EmptyState
      py="xl"
      px="md"
      size="sm"
      withIndicatorBackground
      icon={<Shape size={24} stroke={1.5} />}
      title={title ?? t(`list:${kind}`)}
      description={text}
    >
      {action ? <EmptyState.Actions>{action}</EmptyState.Actions> : null}
    </EmptyState>
  )
}
