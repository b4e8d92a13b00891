import FirnEngine
import FirnPlatform
import FirnValues

/// Prints the objects that were written (`--returning`).
final class ReturnedObjects {
    private let surroundings: Surroundings

    init(_ surroundings: Surroundings) { self.surroundings = surroundings }

    func write(
        _ references: [ObjectReference], _ snapshot: Snapshot
    ) throws(CommandFailure) {
        preconditionFailure("contract")
    }

    func finish() throws(CommandFailure) {}
}
