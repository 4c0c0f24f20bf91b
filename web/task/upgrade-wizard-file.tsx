import { Button, Group, Radio, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch, IconUpload } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { BodyOf } from '#schema/kit/call'
import { SEARCH_MAX } from '#schema/kit/list'
import type { Key } from '#schema/kit/words.gen'
import { Empty } from '../kit/empty.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { bytes } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { SEARCH_PAUSE_MS } from '../kit/list/list-state.ts'
import type { AnyList, Row } from '../kit/list/list-types.ts'
import { goTo } from '../kit/navigation.ts'
import { useCall } from '../kit/query.ts'
import { can, type Needed } from '../kit/session.ts'
import { When } from '../kit/time.tsx'
import classes from './task.module.css'
import type { ChosenFile } from './upgrade-draft.ts'

/** Newest first; others are found by the search. */
const OFFERED = 50

export type FileStep = { chosen: ChosenFile | null; onChoose: (row: ChosenFile) => void }

type FileRow = { spId: number; spFileSize: number; uploadedAt: string; remark: string | null }
/** Text keys. */
type Texts = { label: Key; search: Key; none: Key; noneText: Key; upload: Key }
type Drawn = {
  /** What the radio is called. */
  name: string
  title: ReactNode
  /** Before size and age. */
  fact?: string
  /** It cannot be chosen yet. */
  locked?: boolean
  choice: ChosenFile
}

function FileRows<R extends FileRow>({
  rows,
  label,
  chosen,
  onChoose,
  draw,
}: FileStep & { rows: readonly R[]; label: string; draw: (row: R) => Drawn }) {
  return (
    <div className={classes['scroll']} role="radiogroup" aria-label={label}>
      {rows.map((row) => {
        const { name, title, fact, locked = false, choice } = draw(row)
        return (
          // biome-ignore lint/a11y/noLabelWithoutControl: the radio is inside
          <label
            key={row.spId}
            className={classes['choice']}
            data-chosen={row.spId === chosen?.spId || undefined}
            data-locked={locked || undefined}
          >
            <Radio
              size="xs"
              mt={3}
              name="file"
              aria-label={name}
              disabled={locked}
              checked={row.spId === chosen?.spId}
              onChange={() => onChoose(choice)}
            />
            <div style={{ flex: 1, minWidth: 0 }}>
              {title}
              <Text size="xs" c="dimmed" component="div">
                {fact ? `${fact} · ` : ''}
                {bytes(row.spFileSize)} · <When at={row.uploadedAt} />
              </Text>
              {row.remark ? (
                <Text size="xs" c="dimmed" truncate>
                  {row.remark}
                </Text>
              ) : null}
            </div>
          </label>
        )
      })}
    </div>
  )
}

/**
 * The first step of a wizard: one file among those of a list call.
 * @param upload where files are uploaded, for users who may
 */
export function fileStep<C extends AnyList>(
  call: C,
  texts: Texts,
  upload: { permission: Needed; path: string },
  draw: (row: Row<C> & FileRow) => Drawn,
) {
  return function FileStep(props: FileStep) {
    const [text, setText] = useState('')
    const [search] = useDebouncedValue(text.trim(), SEARCH_PAUSE_MS)
    const body = { limit: OFFERED, ...(search ? { search } : {}) } as BodyOf<C>
    const { data, error } = useCall(call, body, { refreshS: 5, keepPrevious: true })
    const uploadButton = can(upload.permission) ? (
      <Button
        variant="default"
        leftSection={<IconUpload size={16} stroke={1.5} />}
        onClick={() => goTo(upload.path)}
      >
        {t(texts.upload)}
      </Button>
    ) : null
    if (error && !data) return <ErrorBar error={error} />
    if (!data) return <Skeleton height={66} />
    const { list, total } = data as { list: (Row<C> & FileRow)[]; total: number }
    if (total === 0 && text === '' && search === '')
      return <Empty title={t(texts.none)} text={t(texts.noneText)} action={uploadButton} />
    return (
      <Stack gap="sm">
        <Group gap={8}>
          <TextInput
            type="search"
            flex="1 1 220px"
            aria-label={t(texts.search)}
            placeholder={t(texts.search)}
            leftSection={<IconSearch size={16} stroke={1.5} />}
            maxLength={SEARCH_MAX}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {uploadButton}
        </Group>
        {total === 0 ? <Empty kind="noMatch" /> : null}
        <FileRows rows={list} label={t(texts.label)} draw={draw} {...props} />
        {total > list.length ? (
          <Text size="xs" c="dimmed">
            {t('upgrade:wizard.newestOf', { count: list.length, total })}
          </Text>
        ) : null}
      </Stack>
    )
  }
}
