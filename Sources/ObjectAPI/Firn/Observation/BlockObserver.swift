import FirnEngine
import FirnQuery
import FirnValues

/// An observer that passes the changes of a tracker to a block.
final class BlockObserver<Change>: Observer, @unchecked Sendable {
    private let tracker: Tracker<Change>
    private let block: (Change) -> Void

    init(
        _ registration: Registration, _ tracker: Tracker<Change>,
        _ block: @escaping (Change) -> Void
    ) {
        self.tracker = tracker
        self.block = block
        super.init(registration)
    }

    override var isDue: Bool { tracker.isDue }

    override func deliver(_ changes: ChangeSource) {
        do {
            let change = try tracker.next(changes)
            // The end of the observation is reported last.
            if tracker.isOver { registration.end() }
            if let change { block(change) }
        } catch {
            fail(error)
        }
    }

    override func skip(from base: DatabaseSnapshot, _ changes: ChangeSource) {
        guard tracker.position?.version == base.version else { return }
        do {
            _ = try tracker.next(changes)
            if tracker.isOver { registration.end() }
        } catch {
            fail(error)
        }
    }

    override func fail(_ error: StoreError) {
        registration.end()
        if let failure = tracker.failed(error) { block(failure) }
    }

    override func renew() { tracker.renew() }
}
