// SPDX-License-Identifier: MIT

// What the table of reasons is written with.

extension Reason.Facts {
  static func obstacle(
    _ topic: Reason.Topic, _ summary: String, _ remedy: String = "nothing to do",
    is roles: Reason.Roles = []
  ) -> Reason.Facts {
    Reason.Facts(topic: topic, place: .obstacle, roles: roles, summary: summary, remedy: remedy)
  }

  static func outcome(
    _ topic: Reason.Topic, _ summary: String, _ remedy: String = "nothing to do",
    is roles: Reason.Roles = []
  ) -> Reason.Facts {
    Reason.Facts(topic: topic, place: .outcome, roles: roles, summary: summary, remedy: remedy)
  }

  static func home(
    _ topic: Reason.Topic, _ summary: String, _ remedy: String = "nothing to do",
    is roles: Reason.Roles = []
  ) -> Reason.Facts {
    Reason.Facts(topic: topic, place: .home, roles: roles, summary: summary, remedy: remedy)
  }

  static func remark(
    _ topic: Reason.Topic, _ summary: String, _ remedy: String = "nothing to do",
    is roles: Reason.Roles = []
  ) -> Reason.Facts {
    Reason.Facts(topic: topic, place: .remark, roles: roles, summary: summary, remedy: remedy)
  }
}
