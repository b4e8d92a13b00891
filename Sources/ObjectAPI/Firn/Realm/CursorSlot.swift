import FirnEngine
import FirnValues

/// The state that the objects of a class share, at an address that each of them knows.
///
/// Its users are the objects, and the loops over them. While there are any, the slot retains the
/// binding, and uses the gate, once for all of them.
struct CursorSlot: ~Copyable {
    /// The access gate of the instance that made the binding.
    let gate: UnsafeMutablePointer<AccessGate>
    /// The binding of the class, which owns this memory.
    let binding: Unmanaged<ClassBinding>
    /// The layout of the objects, which the binding retains.
    let layout: Unmanaged<ClassLayout>
    /// The identity of the type of the objects.
    let type: ObjectIdentifier
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
    /// The objects, and the loops over them.
    private let users = UserCount()

    /// Creates the slot of a binding, on behalf of an instance.
    init(of binding: ClassBinding, in instance: RealmInstance) {
        gate = instance.gate
        self.binding = .passUnretained(binding)
        layout = .passUnretained(binding.layout)
        type = ObjectIdentifier(binding.layout.type)
        madeIn = instance.epoch
    }

    /// Whether the realm was invalidated since the binding was made.
    var isStale: Bool { madeIn < gate.pointee.validSince }

    /// Adds a user.
    ///
    /// The caller keeps the binding and the instance alive during the call.
    func retain() {
        guard users.add() else { return }
        gate.pointee.retain()
        _ = binding.retain()
    }

    /// Removes a user.
    ///
    /// After the last one, the memory of the slot may be freed.
    static func release(_ slot: UnsafeMutablePointer<CursorSlot>) {
        // They are read first: without its user, the slot may be gone.
        let (binding, gate) = (slot.pointee.binding, slot.pointee.gate)
        guard slot.pointee.users.remove() else { return }
        binding.release()
        AccessGate.release(gate)
    }
}

/// A user of a slot for the duration of a loop over its objects.
///
/// Each object may be freed before the next one is created. Without this user, the slot would retain
/// its binding and the instance for each of them.
final class CursorSlotUser {
    private let slot: UnsafeMutablePointer<CursorSlot>

    init(_ binding: ClassBinding) {
        slot = binding.slot
        slot.pointee.retain()
    }

    deinit { CursorSlot.release(slot) }
}
