import FirnPlatform
import FirnServe
import FirnTools

ServeCommand.run(Array(Environment.arguments.dropFirst()), in: .real)
