// A game that draws nothing: its text stands as the board, and every move is a button below it.

export const help = "Choose a move from the buttons below the board.";

export const isOffered = () => true;

export function nameButton(button, step, move) {
  button.textContent = move.words;
}

export const pathWords = () => "";
