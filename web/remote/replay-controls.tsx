import { ActionIcon, Group, SegmentedControl, Slider, Switch, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconPlayerTrackPrev } from '@tabler/icons-react'
import { t } from '../kit/i18n.ts'
import { playTime } from './cast.ts'
import type { CastPlayer } from './cast-player.ts'
import classes from './remote.module.css'

const speeds = ['0.5', '1', '2', '4', '8', '16']

/** Play, pause, seek, speed. */
export function ReplayControls({ player }: { player: CastPlayer }) {
  const { isPlaying, positionS, speed, skipsPauses, cast } = player
  return (
    <Group gap={10} className={classes['controls'] ?? ''}>
      <ActionIcon
        variant="subtle"
        size={30}
        aria-label={t('recording:toStart')}
        onClick={() => player.seek(0)}
      >
        <IconPlayerTrackPrev size={18} stroke={1.5} />
      </ActionIcon>
      <ActionIcon
        variant="filled"
        size={30}
        aria-label={t(isPlaying ? 'recording:pause' : 'recording:play')}
        onClick={() => (isPlaying ? player.pause() : player.play())}
      >
        {isPlaying ? <IconPlayerPause size={18} /> : <IconPlayerPlay size={18} />}
      </ActionIcon>
      <Slider
        className={classes['seek'] ?? ''}
        size="sm"
        label={playTime}
        thumbLabel={t('recording:position')}
        min={0}
        max={Math.max(cast.lengthS, 0.1)}
        step={0.1}
        value={positionS}
        onChange={(at) => player.seek(at)}
      />
      <Text size="sm" className="tabular" data-testid="replay-time">
        {playTime(positionS)} / {playTime(cast.lengthS)}
      </Text>
      <SegmentedControl
        size="xs"
        aria-label={t('recording:speed')}
        data={speeds.map((value) => ({ value, label: `${value}×` }))}
        value={String(speed)}
        onChange={(value) => player.set({ speed: Number(value) })}
      />
      <Switch
        size="xs"
        label={t('recording:skip')}
        checked={skipsPauses}
        onChange={({ currentTarget }) => player.set({ skipsPauses: currentTarget.checked })}
      />
    </Group>
  )
}
