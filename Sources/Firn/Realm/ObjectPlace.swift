import FirnEngine
import FirnPlatform
import FirnValues

/// The cursor that reads the rows of a class.
struct CursorSlot {
    /// The binding of the class, which owns this memory.
    let binding: Unmanaged<ClassBinding>
    /// The cursor of the version that the realm showed at ``epoch``.
    ///
    /// The instance retains the cursor for the duration of that epoch. Only the thread that the realm
    /// is confined to uses the slot, or a thread that holds the lock of a frozen realm.
    var cursor: Unmanaged<ObjectCursor>?
    /// The epoch of the instance when it made the cursor, or 0 if it never did.
    var epoch: UInt64 = 0
}

/// The row of a managed object, as the object stores it.
///
/// It consists of addresses, so that a read counts no references: the realm has weak references, which
/// make each count as expensive as the rest of the read. The object retains the instance and the
/// binding as long as it has a place.
struct ObjectPlace {
    private let gate: UnsafeMutablePointer<AccessGate>
    private let slot: UnsafeMutablePointer<CursorSlot>
    let row: RowID
    /// The epoch of the instance in which this was created.
    private let epoch: UInt64

    /// Creates a place, and retains the instance and the binding until ``release()``.
    init(retaining instance: RealmInstance, _ binding: ClassBinding, _ row: RowID) {
        gate = instance.gate
        slot = binding.slot
        _ = gate.pointee.instance.retain()
        _ = slot.pointee.binding.retain()
        self.row = row
        epoch = gate.pointee.epoch
    }

    func release() {
        // The addresses are read first, because the memory goes with its owners.
        let (binding, instance) = (slot.pointee.binding, gate.pointee.instance)
        binding.release()
        instance.release()
    }

    /// The cursor that reads the row, if this thread may use it without further checks.
    @inline(__always)
    var readyCursor: Unmanaged<ObjectCursor>? {
        guard let owner = gate.pointee.owner, owner == ThreadIdentity.current,
            gate.pointee.epoch == slot.pointee.epoch, epoch >= gate.pointee.validSince
        else { return nil }
        return slot.pointee.cursor
    }

    /// The same with references that are counted, for all other work.
    var access: ObjectAccess {
        ObjectAccess(
            instance: instance, binding: slot.pointee.binding.takeUnretainedValue(), row: row,
            epoch: epoch)
    }

    /// Returns an object of the same realm.
    func object<T: ObjectBase>(_ type: T.Type, _ reference: ObjectReference) -> T {
        gate.pointee.instance._withUnsafeGuaranteedRef { $0.object(type, reference) }
    }

    var instance: RealmInstance { gate.pointee.instance.takeUnretainedValue() }
}
