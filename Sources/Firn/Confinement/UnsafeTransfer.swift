/// A value that one thread hands over to another.
struct UnsafeTransfer<Content>: @unchecked Sendable {
    let value: Content

    init(_ value: Content) { self.value = value }
}
