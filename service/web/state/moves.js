// The moves and easings of films; `service/settings/moves.py` and `motion.py` have the same.

const move = (name, label, amount = null, minimum = 0, maximum = 0, unit = '') => ({ name, label, amount, minimum, maximum, unit });

export const MOVES = [
  move('still', 'Still'),
  move('tilt-in', 'Tilt in', 25, -80, 80, '°'),
  move('drop-in', 'Drop in', 1.8, 0.2, 4),
  move('push-in', 'Push in', 0.25, 0.01, 2),
  move('pull-out', 'Pull out', 0.25, 0.01, 2),
  move('orbit', 'Orbit', 30, -85, 85, '°'),
  move('turntable', 'Turntable', 1, -2, 2),
  move('float', 'Float', 1, 0.1, 4),
  move('sway', 'Sway', 12, 1, 60, '°'),
  move('reveal', 'Reveal', 85, -175, 175, '°'),
  move('flip', 'Flip', 1, -3, 3),
  move('lid-open', 'Open the lid', 8, 5, 90, '°'),
  move('scroll', 'Scroll'),
];

export const EASINGS = ['linear', 'ease', 'ease-in', 'ease-out', 'ease-in-out', 'expo-out', 'back-out'];
