import FirnShell
import FirnTools

FirnCommand.main(shell: Shell.run)
