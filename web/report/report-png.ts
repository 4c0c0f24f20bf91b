/** A report as a self-contained picture: with title, range, filters and time zone. */
import type { EChartsType } from 'echarts/core'
import { saveFile } from '../kit/transfer.ts'

const MARGIN = 24
const SCALE = 2

type Told = {
  title: string
  lines: readonly string[]
  charts: readonly { title: string; chart: EChartsType }[]
}

const css = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

function load(url: string): Promise<HTMLImageElement> {
  return new Promise((done, fail) => {
    const image = new Image()
    image.onload = () => done(image)
    image.onerror = () => fail(new Error('the chart could not be drawn'))
    image.src = url
  })
}

export async function savePng({ title, lines, charts }: Told, fileName: string): Promise<void> {
  const background = css('--surface')
  const pictures = await Promise.all(
    charts.map(async ({ title: heading, chart }) => ({
      heading,
      image: await load(chart.getDataURL({ type: 'png', pixelRatio: SCALE, backgroundColor: background })),
      width: chart.getWidth(),
      height: chart.getHeight(),
    })),
  )
  const width = Math.max(640, ...pictures.map((picture) => picture.width)) + 2 * MARGIN
  const head = MARGIN + 28 + lines.length * 20 + 12
  const height = pictures.reduce((sum, picture) => sum + picture.height + 36, head) + MARGIN
  const canvas = Object.assign(document.createElement('canvas'), {
    width: width * SCALE,
    height: height * SCALE,
  })
  const paper = canvas.getContext('2d')
  if (!paper) throw new Error('this browser cannot draw pictures')
  paper.scale(SCALE, SCALE)
  paper.fillStyle = background
  paper.fillRect(0, 0, width, height)
  const font = css('--font-sans')
  const write = (text: string, y: number, size: number, weight: number, color: string) => {
    paper.font = `${weight} ${size}px ${font}`
    paper.fillStyle = css(color)
    paper.fillText(text, MARGIN, y, width - 2 * MARGIN)
  }
  write(title, MARGIN + 20, 20, 600, '--text-1')
  lines.forEach((line, i) => {
    write(line, MARGIN + 46 + i * 20, 13, 400, '--text-2')
  })
  let top = head
  for (const { heading, image, width: wide, height: high } of pictures) {
    write(heading, top + 18, 14, 600, '--text-1')
    paper.drawImage(image, MARGIN, top + 28, wide, high)
    top += high + 36
  }
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
  if (!blob) throw new Error('this browser cannot save pictures')
  saveFile(blob, fileName)
}
