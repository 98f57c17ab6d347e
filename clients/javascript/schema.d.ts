// The service's types: settings, requests and answers. Generated from its OpenAPI document.

/** The background and the colour of the device. */
export interface Appearance {
  /** a hex colour or transparent; the default is darker behind light devices */
  backgroundColor?: string | null;
  /** draw a gradient from backgroundColor to gradientColor, or through gradientStops */
  gradientEnabled?: boolean | null;
  /** end colour of the gradient */
  gradientColor?: string | null;
  /** linear: along a line; radial: from the centre to the corners; conic: around the centre; mesh: soft spots of the colours */
  gradientType?: "linear" | "radial" | "conic" | "mesh" | null;
  /** degrees as in CSS: 0 is up, 90 right */
  gradientAngle?: number | null;
  /** 2 to 8 colours in place of backgroundColor and gradientColor, in order; drawn unless gradientEnabled is false */
  gradientStops?: Array<GradientStop> | null;
  /** a picture in front of the colour or gradient */
  backgroundImage?: BackgroundImage | null;
  /** opaque tint of the metal, clay or lines; default: the first finish, or near white */
  deviceColor?: string | null;
  /** clay: one matt colour; outline: a line drawing; the screen is unchanged */
  style?: "real" | "clay" | "outline" | null;
  /** of windows and cards; default: dark for a terminal, light for others */
  theme?: "light" | "dark" | null;
}

/** A picture behind the device. */
export interface BackgroundImage {
  /** form of src; screenshot is the screenshot itself, which takes no src */
  type: "url" | "base64" | "upload" | "screenshot";
  /** an http or https URL, base64 data with an optional data-URI prefix, or an upload's id */
  src?: string | null;
  /** cover crops; contain shows the background's colours beside it */
  fit?: "cover" | "contain" | "stretch" | null;
  /** as shadow.blur; default: 0, or 12 for the screenshot */
  blur?: number | null;
  /** how much darker; 1 is black */
  dim?: number | null;
}

/** The background of a caption. */
export interface Backing {
  /** fill behind the caption */
  color?: string | null;
  /** of its corners, in font sizes */
  radius?: number | null;
  /** around the text, in font sizes */
  padding?: number | null;
}

export interface Base64Request {
  /** optional for one screenshot in the flat forms or as multipart, and for a scene whose devices come from a template or project */
  type?: "screenshot" | null;
  devices?: null;
  screenshot?: null;
  screenshot_url?: null;
  /** flat form: base64 image data */
  screenshot_base64: string;
  settings?: Settings | null;
  /** half the render time: softer bodies, no dithering; for previews */
  fast?: boolean | null;
  /** UUID of a saved project to use as the base */
  projectId?: string | null;
  /** a template; the project's settings and the devices override it */
  template?: string | null;
  /** the captions' texts, or objects of them by language, in order; captions without one are left out */
  texts?: Array<string | Record<string, string>> | null;
  /** geometry: tell where the device is in the picture */
  include?: Array<"geometry"> | null;
}

/** Glow around bright parts. */
export interface Bloom {
  /** strength of the glow */
  intensity?: number | null;
  /** brightness above which parts glow */
  threshold?: number | null;
  /** reach of the glow */
  radius?: number | null;
}

/** The picture's size at `export.scale` 1. */
export interface Canvas {
  /** pixels */
  width?: number | null;
  /** pixels */
  height?: number | null;
  /** an app store or social media size; overrides width and height */
  preset?: string | null;
  /** pictures side by side that are composed as one and cut, each of this width */
  slices?: number | null;
  /** pixels between slices, which are cut away */
  gap?: number | null;
}

/** A text on the picture. */
export interface Caption {
  /** 1 to 500 characters, or an object of such texts by language; `language` selects one */
  text: string | Record<string, string>;
  /** place of the anchor from the left, in canvas widths */
  x?: number | null;
  /** place of the anchor from the top, in canvas heights */
  y?: number | null;
  /** the point of the caption that is at x, y */
  anchor?: "top-left" | "top" | "top-right" | "left" | "center" | "right" | "bottom-left" | "bottom" | "bottom-right" | null;
  /** the width at which lines wrap, in canvas widths */
  width?: number | null;
  font?: CaptionFont | null;
  /** colour of the text; emoji keep theirs */
  color?: string | null;
  /** alignment of lines; start and end follow the direction; default: the anchor's side */
  align?: "left" | "center" | "right" | "start" | "end" | null;
  /** auto: that of the first letter of each paragraph */
  direction?: "auto" | "ltr" | "rtl" | null;
  /** a rounded rectangle behind the caption */
  background?: Backing | null;
  /** rotation about the anchor, degrees; positive: counter-clockwise */
  rotation?: number | null;
  /** wrap: long words are broken and text beyond the canvas is cut; shrink: the font gets smaller until no word is broken and nothing leaves the canvas; error: a 400 instead */
  overflow?: "wrap" | "shrink" | "error" | null;
  /** the largest number of lines; shrink and error apply to it, too */
  maxLines?: number | null;
}

/** The font of a caption. */
export interface CaptionFont {
  /** a family of `GET /api/v1/fonts`; characters that it lacks come from other fonts */
  family?: string | null;
  /** in short sides of the canvas */
  size?: number | null;
  /** 400 is regular, 700 bold; the family's nearest is taken */
  weight?: number | null;
  /** italic, or slanted where the family has none */
  italic?: boolean | null;
  /** from line to line, in font sizes */
  lineHeight?: number | null;
  /** added after each letter, in font sizes */
  letterSpacing?: number | null;
}

/** Depth of field: blurs everything in front of and behind the plane of focus, but not captions. */
export interface Depth {
  /** width of the aperture */
  amount?: number | null;
  /** the plane in focus: -1 nearest, 0 the screen's middle, 1 farthest */
  focus?: number | null;
}

/** A device that the catalogue does not have, by its measurements. */
export interface Description {
  /** the kind of device */
  kind: "phone" | "tablet" | "foldable" | "laptop" | "monitor" | "tv" | "console" | "watch" | "window" | "card";
  /** its screen */
  screen: DeviceScreen;
  /** pixels per inch, which give millimetres; default: a usual size */
  ppi?: number | null;
  /** the size of the body, instead of ppi */
  body?: DeviceBody | null;
  /** millimetres from the body's edge to the screen, or an object of four */
  bezel?: number | DeviceBezel | null;
  /** material of the frame, and of the back if there is one */
  material?: "aluminium" | "titanium" | "steel" | "glass" | "plastic" | "matte" | null;
  /** the only finish; appearance.deviceColor overrides it */
  color?: string | null;
  /** the lenses on the back: one to four in a column, three in a bar, or one to four on a square plate (square has three); default: usual for the kind */
  camera?: "none" | "single" | "dual" | "triple" | "quad" | "bar" | "single-square" | "dual-square" | "square" | "quad-square" | null;
}

/** A device. */
export interface Device {
  id: string;
  name: string;
  aliases: Array<string>;
  brand: string | null;
  category: string;
  year: number | null;
  screen: ScreenSize;
  finishes: Array<Finish>;
  orientations: Array<"portrait" | "landscape">;
  /** Members that are estimates, such as body */
  approximate: Array<string>;
  preview: string;
}

/** How one device of a scene is drawn. */
export interface DeviceAppearance {
  /** opaque tint of the metal, clay or lines; default: the first finish, or near white */
  deviceColor?: string | null;
  /** clay: one matt colour; outline: a line drawing; the screen is unchanged */
  style?: "real" | "clay" | "outline" | null;
  /** of windows and cards; default: dark for a terminal, light for others */
  theme?: "light" | "dark" | null;
}

/** The bezel of a described device on each side, in millimetres. */
export interface DeviceBezel {
  /** millimetres; default: usual for the kind */
  top?: number | null;
  /** as top */
  right?: number | null;
  /** as top */
  bottom?: number | null;
  /** as top */
  left?: number | null;
}

/** A described body, in millimetres: a laptop closed, a foldable open, a monitor without its stand. */
export interface DeviceBody {
  /** millimetres */
  width: number;
  /** millimetres */
  height: number;
  /** millimetres; default: usual for the kind */
  depth?: number | null;
}

/** A cut-out of a described screen, in its pixels. */
export interface DeviceCutout {
  /** an island or hole lies in the screen, a notch at its top */
  kind?: "none" | "island" | "notch" | "hole" | null;
  /** pixels */
  width?: number | null;
  /** pixels */
  height?: number | null;
  /** its middle, from the left; default: centred */
  x?: number | null;
  /** its middle, from the top; a notch takes none */
  y?: number | null;
}

/** A described screen, in pixels as the device is held upright. */
export interface DeviceScreen {
  /** pixels */
  width: number;
  /** pixels */
  height: number;
  /** pixels; default: as is usual for the kind */
  cornerRadius?: number | null;
  cutout?: DeviceCutout | null;
}

/** Position and rotation of the device; see docs/rendering.md. */
export interface DeviceTransform {
  /** 1 is the size that framing gives */
  scale?: number | null;
  /** to the right, in half canvas widths */
  positionX?: number | null;
  /** upwards, in half canvas heights */
  positionY?: number | null;
  /** degrees; positive: top edge nearer */
  rotationX?: number | null;
  /** degrees; positive: screen turns right */
  rotationY?: number | null;
  /** degrees; positive: counter-clockwise */
  rotationZ?: number | null;
  /** vertical, degrees; 0 is orthographic; reduced if the camera would be inside the device */
  fieldOfView?: number | null;
  /** size at scale 1. */
  framing?: "auto" | "upright" | "posed" | "balanced" | null;
  /** sets the rotations, field of view and framing that are not given, to suit the device */
  pose?: string | null;
}

/** The output file. */
export interface Export {
  /** png, jpeg (also jpg), webp or avif */
  format?: "png" | "jpeg" | "jpg" | "webp" | "avif" | null;
  /** for jpeg, webp and avif */
  quality?: number | null;
  /** multiplies the canvas size */
  scale?: number | null;
  /** refuse pictures that Apple's App Store or Google Play would refuse; see docs/store.md */
  store?: "apple" | "play" | null;
  /** write the settings into the file, but never the screenshot's source or the key */
  metadata?: boolean | null;
}

/** A description of what is wrong. */
export interface Failed {
  code: string;
  message: string;
  details?: Array<Fault>;
}

/** An offending path. */
export interface Fault {
  path: string;
  message: string;
}

/** A film: its progress and its outcome. */
export interface Film {
  id: string;
  status: "queued" | "running" | "done" | "failed";
  /** Frames that are there */
  frame: number;
  /** Frames of the film */
  frames: number;
  /** Until it is done, while it is running */
  etaMs?: number;
  /** Of a film that is done */
  result?: FilmFile;
  /** The id of the device used, of a film that is done */
  device?: string;
  /** Why a film has failed */
  error?: Failed;
  warnings: Array<Warning>;
  createdAt: string;
  expiresAt: string;
}

/** A film to be made. */
export interface FilmBody {
  /** optional */
  type?: "film" | null;
  /** the recording to show; or give a screenshot, or one of them for every device */
  recording?: FilmRecording | null;
  /** a still picture to show instead of a recording */
  screenshot?: Screenshot | null;
  /** the devices of a scene; each shows the film's recording, or one of its own */
  devices?: Array<FilmedDevice> | null;
  settings?: Settings | null;
  /** UUID of a saved project to use as the base */
  projectId?: string | null;
  /** the motion of the device */
  motion?: Motion | null;
  /** the film's file */
  export?: FilmExport | null;
  /** renders devices faster and softer, for drafts */
  fast?: boolean | null;
  /** the address to call when the film is done */
  webhook?: Webhook | null;
}

/** The film's file. */
export interface FilmExport {
  /** mp4 is H.264, webm VP9, mov ProRes 4444; frames are numbered PNG files in a ZIP */
  format?: "mp4" | "webm" | "mov" | "gif" | "webp" | "apng" | "frames" | null;
  /** for mp4, webm, gif and webp */
  quality?: number | null;
  /** keep a transparent background, where the format can */
  alpha?: boolean | null;
  /** refuse app previews that the App Store would refuse */
  store?: "apple" | null;
  /** largest file; mp4 and webm reduce their quality for it, other formats fail */
  maxBytes?: number | null;
}

/** The file of a film. */
export interface FilmFile {
  /** Its address on this server, which needs the key */
  url: string;
  mimeType: "video/mp4" | "video/webm" | "video/quicktime" | "image/gif" | "image/webp" | "image/apng" | "application/zip";
  bytes: number;
  fps: number;
  width: number;
  height: number;
}

/** The recording that is shown, and which part of it. */
export interface FilmRecording {
  /** seconds into the recording */
  start?: number | null;
  /** seconds into the recording; default: its end */
  end?: number | null;
  /** 2 is twice as fast */
  speed?: number | null;
  /** after its end: hold the last frame, repeat it, or play it backwards and forwards */
  after?: "hold" | "repeat" | "bounce" | null;
  /** form of src */
  type: "upload" | "url";
  /** a recording's id, or an http or https URL */
  src: string;
}

/** A device of a film's scene, which shows the film's recording or one of its own. */
export interface FilmedDevice {
  /** auto picks the best match; an object describes any other device */
  device?: string | Description | null;
  /** auto rotates the device to suit the screenshot; natural is as makers show it; landscape has the top of a phone at the left, landscape-right at the right */
  orientation?: "auto" | "natural" | "portrait" | "landscape" | "landscape-right" | null;
  screen?: ScreenFit | null;
  appearance?: DeviceAppearance | null;
  deviceTransform?: OwnTransform | null;
  /** towards the viewer, from where the layout puts it */
  depth?: number | null;
  /** its own recording; default: the film's */
  recording?: FilmRecording | null;
  /** a still picture to show instead of a recording */
  screenshot?: Screenshot | null;
}

/** A finish of a device. */
export interface Finish {
  name: string;
  hex: string;
  preview: string;
}

/** Where the device is in a picture. */
export interface Geometry {
  /** Of the picture, px; all px are measured from its top left corner */
  width: number;
  height: number;
  /** px per mm at the pivot, the middle of the device */
  k: number;
  /** Distance of the camera from the pivot, mm */
  D: number;
  /** The camera's axis, px; through the pivot except in scenes */
  center: Array<number>;
  /** The pivot's offset from that axis, mm right and up; 0 except in scenes */
  aside: Array<number>;
  /** From mm of the device to view mm, row by row */
  turn: Array<number>;
  /** Corners of the body's box, px: of the front clockwise from the top left, then of the back */
  body: Array<Array<number>>;
  /** Box of the silhouette: left, top, width, height, px */
  box: Array<number>;
  screens: Array<ScreenPlace>;
}

/** A colour of a gradient. */
export interface GradientStop {
  /** colour of the stop; its alpha counts too */
  color: string;
  /** place along the gradient; default: evenly between its neighbours */
  at?: number | null;
}

/** Film grain. */
export interface Grain {
  /** strength */
  amount?: number | null;
  /** pixels at export.scale 1 */
  size?: number | null;
  /** selects the pattern */
  seed?: number | null;
}

/** The surface that the device stands on or hangs in front of. */
export interface Ground {
  /** floor: below the device; wall: behind it; both take the background's colours; none: a soft shadow alone; auto: a floor for laptops, monitors and televisions, and for a watch alone, in poses that let them stand, else none; sweep: as auto, with a wall close behind any other device that is alone, except windows and cards */
  kind?: "auto" | "none" | "floor" | "wall" | "sweep" | null;
  /** distance of the ground from the nearest part of the device; no effect on a sweep */
  distance?: number | null;
  /** how clearly a floor mirrors the devices, screens included; 0 is matt; no effect without a floor */
  reflectivity?: number | null;
  /** how quickly a floor's reflection blurs with height; 0 is sharp */
  roughness?: number | null;
}

/** The pose of the device at a time. */
export interface Keyframe {
  /** seconds from the film's start */
  at?: number | null;
  /** easing from here to the next keyframe */
  ease?: "linear" | "ease" | "ease-in" | "ease-out" | "ease-in-out" | "expo-out" | "back-out" | Array<number> | null;
  deviceTransform?: PoseChange | null;
  /** degrees by which a laptop is opened */
  lid?: number | null;
}

/** A whole look. */
export interface Look {
  id: string;
  name: string;
  description: string;
  settings: Settings;
  preview: string;
}

/** A screenshot and how to show it. */
export type MockupRequest = ScreenshotRequest | UrlRequest | Base64Request | SceneRequest;

/** The motion of a film, and its duration. */
export interface Motion {
  /** seconds; default: as long as the recording, 4 s for a still picture */
  duration?: number | null;
  /** frames a second */
  fps?: 24 | 25 | 30 | 50 | 60 | null;
  /** a move by name; not beside keyframes */
  move?: Move | null;
  /** a motion of your own: keyframes in the order of their times */
  keyframes?: Array<Keyframe> | null;
  /** scrolls a long screenshot through the screen */
  scroll?: Scroll | null;
  /** the last frame leads back to the first */
  seamless?: boolean | null;
  /** motion blur: the share of its time that a frame is exposed, in degrees of 360; cinema uses 180 */
  shutterAngle?: number | null;
}

/** A move by name. */
export interface Move {
  /** a move */
  name?: string | null;
  /** how far it goes, in the unit of the move; default: as listed */
  amount?: number | null;
  /** its easing; default: as listed */
  ease?: "linear" | "ease" | "ease-in" | "ease-out" | "ease-in-out" | "expo-out" | "back-out" | Array<number> | null;
}

/** The position and rotation of one device of a scene, relative to its place in the layout. */
export interface OwnTransform {
  /** to the right, in half canvas widths */
  positionX?: number | null;
  /** upwards, in half canvas heights */
  positionY?: number | null;
  /** degrees; positive: top edge nearer */
  rotationX?: number | null;
  /** degrees; positive: screen turns right */
  rotationY?: number | null;
  /** degrees; positive: counter-clockwise */
  rotationZ?: number | null;
  /** sets the rotations, field of view and framing that are not given, to suit the device */
  pose?: string | null;
}

/** Members of `deviceTransform` at a keyframe; it does not affect the others. */
export interface PoseChange {
  /** as in settings */
  scale?: number | null;
  /** as in settings */
  positionX?: number | null;
  /** as in settings */
  positionY?: number | null;
  /** as in settings */
  rotationX?: number | null;
  /** as in settings */
  rotationY?: number | null;
  /** as in settings */
  rotationZ?: number | null;
  /** as in settings */
  fieldOfView?: number | null;
}

/** Effects on the finished picture, each a boolean or an object. */
export interface PostProcessing {
  /** depth of field: blur in front of and behind the focus */
  depth?: boolean | Depth | null;
  /** glow around bright parts */
  bloom?: boolean | Bloom | null;
  /** darker corners */
  vignette?: boolean | Vignette | null;
  /** film grain */
  grain?: boolean | Grain | null;
}

/** A mockup to be previewed. */
export type PreviewRequest = ScreenshotPreview | ScenePreview;

/** A device of a scene that is previewed. */
export interface PreviewedDevice {
  /** auto picks the best match; an object describes any other device */
  device?: string | Description | null;
  /** auto rotates the device to suit the screenshot; natural is as makers show it; landscape has the top of a phone at the left, landscape-right at the right */
  orientation?: "auto" | "natural" | "portrait" | "landscape" | "landscape-right" | null;
  screen?: ScreenFit | null;
  appearance?: DeviceAppearance | null;
  deviceTransform?: OwnTransform | null;
  /** towards the viewer, from where the layout puts it */
  depth?: number | null;
  /** an uploaded screenshot; default: a sample screen that suits the device */
  screenshot?: PreviewedScreenshot | null;
}

/** The screenshot of a device of a scene that is previewed. */
export interface PreviewedScreenshot {
  /** form of src; same: that of another device */
  type: "upload" | "same";
  /** an upload's id */
  src?: string | null;
  /** for same: the other device's place in the list, from 0 */
  index?: number | null;
}

/** A saved project. */
export interface Project {
  id: string;
  name: string;
  settings: Record<string, unknown>;
  /** Of a scene */
  devices?: Array<Record<string, unknown>>;
  /** If it has a store set */
  set?: Record<string, unknown>;
  /** If it has a film */
  film?: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
}

/** An uploaded recording. */
export interface Recording {
  id: string;
  width: number;
  height: number;
  durationMs: number;
  fps: number;
  expiresAt: string;
}

/** Reflections on the glass and the metal. */
export interface Reflection {
  /** reflect the environment */
  enabled?: boolean | null;
  /** strength; 0 is off */
  intensity?: number | null;
  /** the surroundings that light the device */
  environment?: "studio" | "window" | "sunset" | "city" | "night" | "forest" | "softbox" | "strip" | "spotlight" | "none" | null;
  /** by how much the environment turns around the device; positive: its right comes to the front */
  rotation?: number | null;
  /** reduced: reflections in a screen are limited so that it stays legible; soft: they faintly show the shape of a light; natural: they are physically correct */
  glare?: "reduced" | "soft" | "natural" | null;
  /** strength of the light that a coloured background reflects onto the sides and lower edges of the device; 0 is off; greys, pictures and transparent backgrounds reflect none */
  spill?: number | null;
}

export interface ScenePreview {
  /** optional; must be scene for devices without a template */
  type?: "scene" | null;
  /** a scene's devices, each with its screenshot */
  devices: Array<PreviewedDevice>;
  screenshot?: null;
  settings?: Settings | null;
  /** UUID of a saved project to use as the base */
  projectId?: string | null;
  /** a template; the project's settings and the devices override it */
  template?: string | null;
  /** the captions' texts, or objects of them by language, in order; captions without one are left out */
  texts?: Array<string | Record<string, string>> | null;
  /** a larger picture is scaled down to at most this many pixels */
  maxPixels?: number | null;
  /** auto: jpeg if the background is opaque, otherwise webp */
  format?: "auto" | "jpeg" | "webp" | "png" | null;
}

export interface SceneRequest {
  /** optional for one screenshot in the flat forms or as multipart, and for a scene whose devices come from a template or project */
  type?: "scene" | null;
  /** a scene's devices, each with its screenshot */
  devices: Array<ShownDevice>;
  screenshot?: null;
  screenshot_url?: null;
  screenshot_base64?: null;
  settings?: Settings | null;
  /** half the render time: softer bodies, no dithering; for previews */
  fast?: boolean | null;
  /** UUID of a saved project to use as the base */
  projectId?: string | null;
  /** a template; the project's settings and the devices override it */
  template?: string | null;
  /** the captions' texts, or objects of them by language, in order; captions without one are left out */
  texts?: Array<string | Record<string, string>> | null;
  /** geometry: tell where the device is in the picture */
  include?: Array<"geometry"> | null;
}

/** The screenshot of a device of a scene. */
export interface SceneScreenshot {
  /** form of src; same: that of another device */
  type: "url" | "base64" | "upload" | "same";
  /** an http or https URL, base64 data with an optional data-URI prefix, or an upload's id */
  src?: string | null;
  /** for same: the other device's place in the list, from 0 */
  index?: number | null;
}

/** How the screenshot fits the screen. */
export interface ScreenFit {
  /** cover crops, contain adds bars */
  fit?: "cover" | "contain" | "stretch" | null;
  /** part to keep; default: center, or top to crop a tall screenshot */
  anchor?: "top" | "center" | "bottom" | null;
  /** colour behind a contained or transparent screenshot; by default, windows and cards show a blank page */
  background?: string | null;
  /** auto removes the transparent shadow around a window's screenshot, on windows and cards that take its shape */
  trim?: "auto" | "none" | null;
  /** shown in the address field of a browser window; never fetched; `source` shows the host of the screenshot's own URL */
  url?: string | null;
  /** shown in the title bar or tab of a window */
  title?: string | null;
}

/** Where a screen is in a picture. */
export interface ScreenPlace {
  /** px, clockwise from the screenshot's top left */
  corners: Array<Array<number>>;
  /** From fractions of the whole screen (right, down, 1) to px, row by row */
  homography: Array<number>;
  /** Share of the screen that is not visible */
  hidden: number;
}

/** The pixels of a screen. */
export interface ScreenSize {
  width: number;
  height: number;
  /** Whether its shape follows the screenshot; the size is then an example */
  fitted: boolean;
}

/** Where the screenshot comes from. */
export interface Screenshot {
  /** form of src */
  type: "url" | "base64" | "upload";
  /** an http or https URL, base64 data with an optional data-URI prefix, or an upload's id */
  src: string;
}

export interface ScreenshotPreview {
  /** optional; must be scene for devices without a template */
  type?: "screenshot" | null;
  devices?: null;
  /** an uploaded screenshot; default: a sample screen that suits the device */
  screenshot?: UploadedScreenshot | null;
  settings?: Settings | null;
  /** UUID of a saved project to use as the base */
  projectId?: string | null;
  /** a template; the project's settings and the devices override it */
  template?: string | null;
  /** the captions' texts, or objects of them by language, in order; captions without one are left out */
  texts?: Array<string | Record<string, string>> | null;
  /** a larger picture is scaled down to at most this many pixels */
  maxPixels?: number | null;
  /** auto: jpeg if the background is opaque, otherwise webp */
  format?: "auto" | "jpeg" | "webp" | "png" | null;
}

export interface ScreenshotRequest {
  /** optional for one screenshot in the flat forms or as multipart, and for a scene whose devices come from a template or project */
  type: "screenshot";
  devices?: null;
  screenshot: Screenshot;
  screenshot_url?: null;
  screenshot_base64?: null;
  settings?: Settings | null;
  /** half the render time: softer bodies, no dithering; for previews */
  fast?: boolean | null;
  /** UUID of a saved project to use as the base */
  projectId?: string | null;
  /** a template; the project's settings and the devices override it */
  template?: string | null;
  /** the captions' texts, or objects of them by language, in order; captions without one are left out */
  texts?: Array<string | Record<string, string>> | null;
  /** geometry: tell where the device is in the picture */
  include?: Array<"geometry"> | null;
}

/** The scrolling of a screenshot that is taller than the screen. */
export interface Scroll {
  /** 0 is the screenshot's top, 1 its end */
  from?: number | null;
  /** where it ends, in the unit of `from` */
  to?: number | null;
  /** seconds at which it begins */
  at?: number | null;
  /** seconds it takes; default: until half a second before the end */
  duration?: number | null;
  /** easing of the scrolling */
  ease?: "linear" | "ease" | "ease-in" | "ease-out" | "ease-in-out" | "expo-out" | "back-out" | Array<number> | null;
}

/** Everything that describes a mockup except the screenshot. */
export interface Settings {
  /** auto picks the best match; an object describes any other device */
  device?: string | Description | null;
  /** auto rotates the device to suit the screenshot; natural is as makers show it; landscape has the top of a phone at the left, landscape-right at the right */
  orientation?: "auto" | "natural" | "portrait" | "landscape" | "landscape-right" | null;
  /** where the devices of a scene stand; all but free also set the rotations, field of view and framing of `deviceTransform` that are not given */
  layout?: "free" | "row" | "fan" | "cascade" | "stack" | "desk" | "isometric" | null;
  canvas?: Canvas | null;
  screen?: ScreenFit | null;
  appearance?: Appearance | null;
  deviceTransform?: DeviceTransform | null;
  shadow?: Shadow | null;
  ground?: Ground | null;
  reflection?: Reflection | null;
  postProcessing?: PostProcessing | null;
  /** texts on the picture */
  captions?: Array<Caption> | null;
  /** language of the captions: selects their texts, forms of letters and line breaks */
  language?: string | null;
  export?: Export | null;
}

/** The soft shadow on the background. */
export interface Shadow {
  /** draw the shadow */
  enabled?: boolean | null;
  /** 0 is invisible, 1 opaque; the shadow of windows and cards is fainter by a quarter */
  opacity?: number | null;
  /** softness; 0 is sharp, and each step widens the blur's standard deviation by 0.6 % of the canvas' short side, or by 0.9 % for windows and cards */
  blur?: number | null;
  /** colour of the shadow */
  color?: string | null;
  /** to the right, in short sides of the canvas */
  offsetX?: number | null;
  /** upwards, in short sides of the canvas */
  offsetY?: number | null;
}

/** A device of a scene and its screenshot. */
export interface ShownDevice {
  /** auto picks the best match; an object describes any other device */
  device?: string | Description | null;
  /** auto rotates the device to suit the screenshot; natural is as makers show it; landscape has the top of a phone at the left, landscape-right at the right */
  orientation?: "auto" | "natural" | "portrait" | "landscape" | "landscape-right" | null;
  screen?: ScreenFit | null;
  appearance?: DeviceAppearance | null;
  deviceTransform?: OwnTransform | null;
  /** towards the viewer, from where the layout puts it */
  depth?: number | null;
  /** the screenshot's source */
  screenshot: SceneScreenshot;
}

/** An uploaded screenshot. */
export interface Upload {
  id: string;
  width: number;
  height: number;
  expiresAt: string;
}

/** A screenshot that was uploaded before. */
export interface UploadedScreenshot {
  /** form of src */
  type: "upload";
  /** an upload's id */
  src: string;
}

export interface UrlRequest {
  /** optional for one screenshot in the flat forms or as multipart, and for a scene whose devices come from a template or project */
  type?: "screenshot" | null;
  devices?: null;
  screenshot?: null;
  /** flat form: an http or https URL */
  screenshot_url: string;
  screenshot_base64?: null;
  settings?: Settings | null;
  /** half the render time: softer bodies, no dithering; for previews */
  fast?: boolean | null;
  /** UUID of a saved project to use as the base */
  projectId?: string | null;
  /** a template; the project's settings and the devices override it */
  template?: string | null;
  /** the captions' texts, or objects of them by language, in order; captions without one are left out */
  texts?: Array<string | Record<string, string>> | null;
  /** geometry: tell where the device is in the picture */
  include?: Array<"geometry"> | null;
}

/** Darkening towards the corners. */
export interface Vignette {
  /** darkness of the corners */
  amount?: number | null;
  /** how far the dark corners reach inwards */
  softness?: number | null;
}

/** A part of the picture that may not look as intended. */
export interface Warning {
  code: string;
  message: string;
}

/** The address to call when a film is done. */
export interface Webhook {
  /** an http or https URL */
  url: string;
  /** the secret that signs calls; printable ASCII */
  secret: string;
}
