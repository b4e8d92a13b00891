import FirnTools

FirnCommand.main()
