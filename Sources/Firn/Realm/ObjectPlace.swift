import FirnEngine
import FirnPlatform
import FirnValues

/// The state that the objects of a class share, at an address that each of them knows.
struct CursorSlot {
    /// The access gate of the instance that made the binding.
    let gate: UnsafeMutablePointer<AccessGate>
    /// The binding of the class, which owns this memory.
    let binding: Unmanaged<ClassBinding>
    /// The epoch of the instance in which it made the binding.
    ///
    /// An invalidation makes the instance forget its bindings, so this tells whether the objects of a
    /// binding are from before.
    let madeIn: UInt64
    /// The cursor of the version that the realm showed at ``epoch``.
    ///
    /// The instance retains the cursor for the duration of that epoch. Only the thread that the realm
    /// is confined to uses the slot, or a thread that holds the lock of a frozen realm.
    var cursor: Unmanaged<ObjectCursor>?
    /// The epoch of the instance when it made the cursor, or 0 if it never did.
    var epoch: UInt64 = 0

    /// Creates the slot of a binding that an instance makes.
    init(of binding: ClassBinding, in instance: RealmInstance) {
        gate = instance.gate
        self.binding = .passUnretained(binding)
        madeIn = instance.epoch
    }

    /// Whether the realm was invalidated since the binding was made.
    var isStale: Bool { madeIn < gate.pointee.validSince }
}

/// The row of a managed object, as the object stores it.
///
/// It consists of an address and a row id, because every object contains it: 16 bytes. A read counts no
/// references. The realm has weak references, which make each count as expensive as the rest of the
/// read. The object retains the instance and the binding as long as it has a place.
struct ObjectPlace {
    private let slot: UnsafeMutablePointer<CursorSlot>
    let row: RowID

    /// Creates a place, and retains the binding and its instance until ``release()``.
    init(retaining binding: ClassBinding, _ row: RowID) {
        slot = binding.slot
        _ = slot.pointee.gate.pointee.instance.retain()
        _ = slot.pointee.binding.retain()
        self.row = row
    }

    func release() {
        // The addresses are read first, because the memory goes with its owners.
        let (binding, instance) = (slot.pointee.binding, slot.pointee.gate.pointee.instance)
        binding.release()
        instance.release()
    }

    /// The cursor that reads the row, if this thread may use it without further checks.
    @inline(__always)
    var readyCursor: Unmanaged<ObjectCursor>? {
        let gate = slot.pointee.gate
        guard let owner = gate.pointee.owner, owner == ThreadIdentity.current,
            gate.pointee.epoch == slot.pointee.epoch, !slot.pointee.isStale
        else { return nil }
        return slot.pointee.cursor
    }

    /// The same with references that are counted, for all other work.
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
