/** The history as a file of any size: asked for first if it is large, with its progress, and ended at any time. */
import { Button, Group, Progress, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { BodyOf } from '#schema/kit/call'
import { estimateVariableHistory, exportVariableHistory, HEAVY_ROWS } from '#schema/monitor/variable-history'
import { isCancelled, request } from '../kit/api.ts'
import { Card } from '../kit/card.tsx'
import { ask } from '../kit/confirm.tsx'
import { bytes, moment } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { sendOnce } from '../kit/in-flight.ts'
import { reportError } from '../kit/query.ts'
import { fetchFile, saveFile } from '../kit/transfer.ts'
import { costText } from './variable-cost.tsx'

type Body = BodyOf<typeof exportVariableHistory>
type Progressed = { bytes: number; share: number | null }

const LINE = /\n(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})[^\n]*\r?\n?[^\n]*$/
/** Of a line with its names a few hundred bytes are enough. */
const TAIL = 2_000
const wallMs = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`)

/** Samples come in the order of their times, so the last line says how much of the range has come; null: unknown. */
export function shareOf(end: string, from: string, to: string): number | null {
  const [, time] = LINE.exec(end) ?? []
  if (time === undefined) return null
  const share = (wallMs(time) - wallMs(from)) / (wallMs(to) - wallMs(from))
  return Number.isFinite(share) ? Math.max(0, Math.min(1, share)) : null
}

export function useHistoryDownload() {
  const [progress, setProgress] = useState<Progressed | null>(null)
  const running = useRef<AbortController | null>(null)
  const [open] = useState(() => new Map<string, Promise<void>>())
  useEffect(() => () => running.current?.abort(), [])
  const start = async (body: Body) => {
    const cost = body.step === 'raw' ? await request(estimateVariableHistory, body) : null
    const isLarge = cost !== null && cost.samples > HEAVY_ROWS
    const question = {
      title: t('variable-history:cost.title'),
      text: cost && t('variable-history:cost.file', costText(cost)),
      verb: t('report:csv'),
    }
    if (isLarge && !(await ask(question))) return
    const ending = new AbortController()
    running.current = ending
    setProgress({ bytes: 0, share: null })
    const [from, to] = [moment(body.from), moment(body.to)]
    try {
      const file = await fetchFile(exportVariableHistory, body, {
        signal: ending.signal,
        onPart: (count, end) => {
          const text = body.step === 'raw' ? new TextDecoder().decode(end.subarray(-TAIL)) : ''
          setProgress((last) => ({ bytes: count, share: shareOf(text, from, to) ?? last?.share ?? null }))
        },
      })
      saveFile(file, `history-${to.replace(/[ :]/g, '-')}.csv`)
    } catch (error) {
      if (!isCancelled(error)) reportError(error)
    } finally {
      running.current = null
      setProgress(null)
    }
  }
  return {
    progress,
    isRunning: progress !== null,
    // Pressed again before the first has begun, it would be two downloads with one progress.
    start: (body: Body) => void sendOnce(open, 'file', () => start(body)).catch(reportError),
    stop: () => running.current?.abort(),
  }
}

export function HistoryDownload({ progress, onStop }: { progress: Progressed; onStop: () => void }) {
  const percent = progress.share === null ? null : Math.round(progress.share * 100)
  return (
    <Card>
      <Group gap="md" wrap="nowrap">
        <div style={{ flex: 1, minWidth: 0 }} role="status">
          <Text size="sm" className="tabular">
            {percent === null
              ? t('variable-history:file.begun', { size: bytes(progress.bytes) })
              : t('variable-history:file.share', { size: bytes(progress.bytes), percent })}
          </Text>
          <Progress
            mt={6}
            size="sm"
            value={percent ?? 100}
            animated={percent === null}
            aria-label={t('variable-history:file.label')}
          />
        </div>
        <Button variant="default" size="compact-sm" onClick={onStop}>
          {t('kit:cancel')}
        </Button>
      </Group>
    </Card>
  )
}
