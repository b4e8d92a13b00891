/// Something that one thread gives up for another.
struct UnsafeTransfer<Content>: @unchecked Sendable {
    let value: Content

    init(_ value: Content) { self.value = value }
}
