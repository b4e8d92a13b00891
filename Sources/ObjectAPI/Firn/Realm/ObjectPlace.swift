import FirnEngine
import FirnPlatform
import FirnValues

/// The row of a managed object, as the object stores it.
///
/// It consists of an address and a row id, because every object contains it: 16 bytes. A read counts no
/// references. The object is a user of the slot as long as it has a place.
struct ObjectPlace {
    private let slot: UnsafeMutablePointer<CursorSlot>
    let row: RowID

    /// Creates a place, which uses a slot until ``release()``.
    init(retaining slot: UnsafeMutablePointer<CursorSlot>, _ row: RowID) {
        self.slot = slot
        slot.pointee.retain()
        self.row = row
    }

    func release() { CursorSlot.release(slot) }

    /// The cursor that reads the row, if this thread may use it without further checks.
    @inline(__always)
    var readyCursor: Unmanaged<ObjectCursor>? {
        let gate = slot.pointee.gate
        guard let owner = gate.pointee.owner, owner == ThreadIdentity.current,
            gate.pointee.epoch == slot.pointee.epoch, !slot.pointee.isStale
        else { return nil }
        return slot.pointee.cursor
    }

    /// The same access, with counted references, for all other work.
    var access: ObjectAccess {
        ObjectAccess(
            instance: instance, binding: slot.pointee.binding.takeUnretainedValue(), row: row)
    }

    /// Returns an object of the same realm.
    func object<T: ObjectBase>(_ type: T.Type, _ reference: ObjectReference) -> T {
        slot.pointee.gate.pointee.instance._withUnsafeGuaranteedRef { $0.object(type, reference) }
    }

    var instance: RealmInstance { slot.pointee.gate.pointee.instance.takeUnretainedValue() }
}
